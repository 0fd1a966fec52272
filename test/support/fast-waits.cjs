/**
 * Shortens the waits of a program and speeds up its clock to match: with CB_TEST_SPEED=20 it waits a
 * twentieth of the normal time between attempts and for its pace. Timeouts are unchanged.
 *
 * Use: `NODE_OPTIONS='--require …/fast-waits.cjs' CB_TEST_SPEED=20 cb …`.
 */
const { syncBuiltinESMExports } = require('node:module');
const timers = require('node:timers/promises');

const speed = Number(process.env.CB_TEST_SPEED);
const { setTimeout } = timers;
timers.setTimeout = (milliseconds, ...rest) => setTimeout(milliseconds / speed, ...rest);

// `sleep` of the client's clock uses the global timer, as do timeouts, which must not change.
const { setTimeout: timer } = globalThis;
const isSleep = () => /\bsleep \(/.test(new Error().stack);
globalThis.setTimeout = (work, milliseconds, ...rest) =>
  timer(work, isSleep() ? milliseconds / speed : milliseconds, ...rest);

const now = performance.now.bind(performance);
performance.now = () => now() * speed;

syncBuiltinESMExports();
