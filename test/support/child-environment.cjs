/** Changes the environment of child processes. CommonJS, as required by --require. */
const childProcess = require('node:child_process');

/**
 * Passes the environment of every later child process through `change`, also if the
 * caller sets it. `change` receives and returns an object of strings.
 */
function changeChildEnvironment(change) {
  const { spawn } = childProcess.ChildProcess.prototype;
  childProcess.ChildProcess.prototype.spawn = function (options) {
    if (!options.envPairs) return spawn.call(this, options);
    return spawn.call(this, { ...options, envPairs: toPairs(change(fromPairs(options.envPairs))) });
  };
  // The synchronous functions do not use the class.
  for (const name of ['spawnSync', 'execFileSync', 'execSync']) {
    const run = childProcess[name];
    const withChanges = (given) => (given?.env ? { ...given, env: change(given.env) } : given);
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
