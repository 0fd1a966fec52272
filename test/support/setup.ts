/**
 * Runs before every test file: neither a test nor its child processes can reach beyond loopback, and the
 * child processes have the clock of the test.
 */
import { createRequire } from 'node:module';

// Loaded with require, as in child processes, and so that Vitest does not transform it.
const require = createRequire(import.meta.url);
require('./loopback-only.cjs');
require('./same-clock.cjs');
