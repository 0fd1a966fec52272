/**
 * Passes the clock and the time zone of a test to its child processes, also if the test
 * sets their environment. Without a shifted clock (see test/days), it changes nothing.
 */
const { syncBuiltinESMExports } = require('node:module');
const { changeChildEnvironment } = require('./child-environment.cjs');

const names = ['LD_PRELOAD', 'FAKETIME', 'DONT_FAKE_MONOTONIC', 'NO_FAKE_STAT', 'TZ'];

const installed = Symbol.for('clickbank-cli.same-clock');
if (process.env.FAKETIME !== undefined && !globalThis[installed]) {
  globalThis[installed] = true;
  const clock = Object.fromEntries(
    names
      .filter((name) => process.env[name] !== undefined)
      .map((name) => [name, process.env[name]]),
  );
  // Values set by a test, such as TZ, take precedence.
  changeChildEnvironment((env) => ({ ...clock, ...env }));
  syncBuiltinESMExports();
}
