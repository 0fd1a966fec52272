/**
 * Runs the contract in Node, Bun, and Deno. Arguments: URL of the test, which writes are possible, and `fetch` to send
 * requests over it.
 */
import { argv, stdout } from 'node:process';
import { type Limits, runChecks } from './checks.ts';
import { openWorld } from './world.ts';

const [, , control = '', writes, carrier] = argv;
const world = await openWorld(control, carrier === 'fetch' ? { fetch: globalThis.fetch } : {});
const limits = { writes: writes as Limits['writes'], vagueFailures: false };
await runChecks(world, limits, (line) => stdout.write(`${line}\n`));
