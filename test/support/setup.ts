/** Runs before every test file: nothing that a test does, or starts, can reach beyond loopback. */
import { createRequire } from 'node:module';

// By require, as the children of the tests load it, and so that Vitest does not transform it.
createRequire(import.meta.url)('./loopback-only.cjs');
