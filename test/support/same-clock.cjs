/**
 * Gives every program that a test starts the clock and the time zone of the test, also where the test
 * gives it an environment of its own. Without a shifted clock (see test/days) it changes nothing.
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
  // What a test sets itself, such as a TZ of its own, wins.
  changeChildEnvironment((env) => ({ ...clock, ...env }));
  syncBuiltinESMExports();
}
