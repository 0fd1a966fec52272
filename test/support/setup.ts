/**
 * Runs before every test file: nothing that a test does, or starts, can reach beyond loopback, and what it
 * starts has the clock of the test.
 */
import { createRequire } from 'node:module';

// By require, as the children of the tests load it, and so that Vitest does not transform it.
const require = createRequire(import.meta.url);
require('./loopback-only.cjs');
require('./same-clock.cjs');
