/**
 * The `prepare` script: builds dist/ after `npm ci` in a clone, and when npm installs from Git.
 * It is plain JavaScript, because it may run before the development dependencies are installed.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const { env, execPath, platform } = process;

/**
 * Runs npm in this folder, whatever prefix and location the npm that started this script was given.
 * @param {string[]} args
 */
function npm(...args) {
  const foreign = /^npm_config_(global|prefix|location|omit)$/i;
  const own = Object.entries(env).filter(([name]) => !foreign.test(name));
  // On standard error, because `npm pack --json` prints its result on standard output.
  const { status } = spawnSync(execPath, [env.npm_execpath ?? '', ...args], {
    env: Object.fromEntries(own),
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * `npm install --global git+…` should install the dependencies of its temporary clone. Instead it
 * installs the clone globally, as a link that soon leads nowhere, in place of the folder with the
 * optional packages (npm/cli issue 8440). This puts the folder back; npm then unpacks cb into it.
 */
function replaceGlobalLink() {
  const prefix = env.npm_config_global_prefix ?? env.npm_config_prefix ?? '';
  const modules = platform === 'win32' ? 'node_modules' : 'lib/node_modules';
  const link = join(prefix, modules, env.npm_package_name ?? '');
  if (!lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  rmSync(link);
  mkdirSync(link);
  const { packages } = JSON.parse(readFileSync('node_modules/.package-lock.json', 'utf8'));
  const optional = Object.keys(packages).filter((folder) => !packages[folder].dev);
  for (const folder of ['bin', ...optional])
    cpSync(folder, join(link, folder), { recursive: true });
}

const isInstalled = () => existsSync('node_modules/tsx');
const isGlobalFromGit = env._PACOTE_NO_PREPARE_ && env.npm_config_global === 'true';

if (isGlobalFromGit && !isInstalled()) {
  npm('ci', '--include=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund');
}
if (isInstalled()) npm('run', '--silent', 'build');
else console.error('dist/ is not built, because the development dependencies are not installed.');
if (isGlobalFromGit) replaceGlobalLink();
