/**
 * Runs before every test file: neither a test nor its child processes can reach beyond loopback, and the
 * child processes have the clock of the test. Random cases are the same in each run of `npm test`.
 */
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { isLong, seedOf } from './tier.ts';

if (!isLong || process.env.CB_TEST_SEED) fc.configureGlobal({ seed: seedOf(20_260_318) });

// Loaded with require, as in child processes, and so that Vitest does not transform it.
const require = createRequire(import.meta.url);
require('./loopback-only.cjs');
