/** Changes the environment of child processes. CommonJS, as required by --require. */
const childProcess = require('node:child_process');

/** With a shifted clock (see test/days), child processes have it and its time zone, too. */
const names = ['LD_PRELOAD', 'FAKETIME', 'DONT_FAKE_MONOTONIC', 'NO_FAKE_STAT', 'TZ'];
const passed = process.env.FAKETIME === undefined ? [] : names.filter((name) => process.env[name]);
const clock = Object.fromEntries(passed.map((name) => [name, process.env[name]]));

/**
 * Passes the environment of every later child process through `change`, also if the
 * caller sets it. `change` receives and returns an object of strings.
 */
function changeChildEnvironment(change) {
  // Values set by a test, such as TZ, take precedence.
  const changed = (env) => change({ ...clock, ...env });
  const { spawn } = childProcess.ChildProcess.prototype;
  childProcess.ChildProcess.prototype.spawn = function (options) {
    if (!options.envPairs) return spawn.call(this, options);
    return spawn.call(this, {
      ...options,
      envPairs: toPairs(changed(fromPairs(options.envPairs))),
    });
  };
  // The synchronous functions do not use the class.
  for (const name of ['spawnSync', 'execFileSync', 'execSync']) {
    const run = childProcess[name];
    const withChanges = (given) => (given?.env ? { ...given, env: changed(given.env) } : given);
    childProcess[name] = (...args) => run(...args.map(withChanges));
  }
}

function fromPairs(pairs) {
  const splitPair = (pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
  return Object.fromEntries(pairs.map(splitPair));
}

function toPairs(env) {
  return Object.entries(env).map(([name, value]) => `${name}=${value}`);
}

module.exports = { changeChildEnvironment };
