/** What `cb doctor` checks on this machine: the file of profiles, the environment, Node, cb, folders, and exports. */
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { baseUrlFrom, liveBaseUrl, proxyFor, proxyNames } from '../../client/http/origin.ts';
import { reasonOf, WorkflowError } from '../../client/workflow-error.ts';
import { countOf } from '../../decimals/decimals.ts';
import { isBuiltIn, isProfile, isRecord, type Profile } from '../../profiles/credentials.ts';
import { statsOf } from '../../profiles/private-file.ts';
import type { Context } from '../../shell/context.ts';
import { failureFrom } from '../../shell/failure.ts';
import { configFolder, dataFolder, pathOf, sinceFolder, stateFolder } from '../../shell/folders.ts';
import { settingNames, settingOf } from '../../shell/session/settings.ts';
import { shellWord } from '../../shell/shell-word.ts';
import { version } from '../../shell/version.ts';
import { codeOf, shownCode } from '../../storage/files.ts';
import { absoluteFrom } from '../../storage/standard-folder.ts';
import { problemWithSecret } from '../ins/secret-commands.ts';
import { readState } from '../lists/schedule.ts';
import { errorFinding, type Finding, fine, keyFinding, warning } from './finding.ts';

export async function localFindings(context: Context, stored: Stored): Promise<Finding[]> {
  return [
    ...(await machineFindings(context)),
    fileFinding(context, stored),
    ...ownerFindings(context, stored.folder),
    ...ownerFindings(context, stored.file),
    ...modeFindings(context, stored),
    ...stored.profiles.flatMap((profile) => profileFindings(profile, stored)),
    ...currentFinding(context, stored),
    ...environmentFindings(context, stored),
    ...(await incrementalExportFindings(context)),
  ];
}

function fileFinding({ env }: Context, { file, problem, current, profiles }: Stored): Finding {
  if (problem !== undefined) {
    const fix = 'Fix it, or move it away and run `cb login` again.';
    return errorFinding('config-file', `${file}: ${problem}.`, fix);
  }
  const count = profiles.length > 0 && countOf(profiles.length, 'profile');
  const hasKey = env.CB_API_KEY !== undefined && 'no profiles; CB_API_KEY is set';
  const inUse = env.CB_PROFILE ?? current;
  const isSandbox = typeof inUse === 'string' && isBuiltIn(inUse);
  const known = count || hasKey || (isSandbox && 'no profiles; the sandbox is in use');
  if (known) return fine('config-file', `${file} (${known})`);
  const fix = 'Run `cb login` to store a key, or use --sandbox, which needs none.';
  return warning('config-file', `${file} contains no profile.`, fix);
}

/** Commands refuse symbolic links and files of other users. */
function ownerFindings({ user }: Context, path: string): Finding[] {
  const stats = statsOf(path);
  if (!stats) return [];
  if (stats.isSymbolicLink()) {
    const fix = 'Replace the link with its target, or set XDG_CONFIG_HOME to another folder.';
    const found = `${path} is a symbolic link. Symbolic links are not followed for keys.`;
    return [errorFinding('config-link', found, fix)];
  }
  if (user === undefined || stats.uid === user) return [];
  const found = `${path} belongs to another user (ID ${stats.uid}).`;
  return [errorFinding('config-owner', found, 'Move it away and run `cb login` again.')];
}

/** Does nothing on Windows, where modes do not show who can read a file. */
function modeFindings({ platform }: Context, { file, folder }: Stored): Finding[] {
  if (platform === 'win32') return [];
  const expected = [
    ['config-mode', file, '600', errorFinding, 'Other users may be able to read the keys.'],
    ['config-folder-mode', folder, '700', warning, 'Other users may be able to list the files.'],
  ] as const;
  return expected.flatMap(([check, path, right, report, harm]) => {
    const mode = statsOf(path)?.mode;
    if (mode === undefined) return [];
    const octal = (mode & 0o777).toString(8).padStart(4, '0');
    if ((mode & 0o077) === 0) return [fine(check, `mode ${octal}`)];
    return [report(check, `Mode ${octal}. ${harm}`, `chmod ${right} ${shellWord(path)}`)];
  });
}

function profileFindings(
  { name, profile }: Stored['profiles'][number],
  { current }: Stored,
): Finding[] {
  const check = `profile ${name}`;
  const again = `cb login --profile ${name}`;
  if (!profile) return [errorFinding(check, 'The profile has no base URL or no key.', again)];
  const { url, problem = '' } = serviceAt(profile.baseUrl);
  if (url === undefined) return [errorFinding(check, problem, again)];
  const found = `${url}${name === current ? ', current profile' : ''}`;
  const shown = profile.keyCommand
    ? fine(check, `${found}, key from the command ${profile.keyCommand[0]}`)
    : profile.keychain === undefined
      ? keyFinding(check, profile.key ?? '', found, again)
      : fine(check, `${found}, key in the keychain`);
  return [shown, ...settingFindings(name, profile)];
}

function settingFindings(name: string, { settings }: Profile): Finding[] {
  if (!isRecord(settings)) return [];
  return settingNames.flatMap((setting) => {
    try {
      settingOf(setting, settings);
      return [];
    } catch (error) {
      const fix = `cb config unset ${setting} --profile ${name}`;
      return [errorFinding(`setting ${setting} of ${name}`, failureFrom(error).message, fix)];
    }
  });
}

function currentFinding({ env }: Context, { current, profiles }: Stored): Finding[] {
  if (current === undefined) return [];
  const isKnown = profiles.some(({ name }) => name === current);
  if (typeof current === 'string' && (isKnown || isBuiltIn(current))) {
    return [fine('current-profile', current)];
  }
  const isNeeded = env.CB_API_KEY === undefined && env.CB_PROFILE === undefined;
  const report = isNeeded ? errorFinding : warning;
  const fix = 'Run `cb profiles list`, then `cb profiles use <name>`.';
  return [report('current-profile', 'The current profile does not exist.', fix)];
}

/** `problem` is a clause that says why the file can't be read, without quoting it. */
export interface Stored {
  readonly folder: string;
  readonly file: string;
  readonly problem?: string;
  readonly current?: unknown;
  /** A profile is undefined without a base URL or a key. */
  readonly profiles: readonly { readonly name: string; readonly profile: Profile | undefined }[];
}

/** Never throws or writes. */
export function readStored(context: Context): Stored {
  const folder = configFolder(context);
  const empty = { folder, file: join(folder, 'config.json'), profiles: [] };
  try {
    const json: unknown = JSON.parse(readFileSync(empty.file, 'utf8'));
    const { current, profiles = {} } = isRecord(json) ? json : { profiles: null };
    if (!isRecord(profiles)) return { ...empty, problem: "it has no 'profiles' object" };
    const stored = Object.entries(profiles).map(([name, value]) => {
      return { name, profile: isProfile(value) ? value : undefined };
    });
    return { ...empty, current, profiles: stored };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return empty;
    if (!(error instanceof SyntaxError))
      return { ...empty, problem: `it can't be read (${shownCode(error)})` };
    const at = /line \d+ column \d+/.exec(error.message)?.[0];
    return { ...empty, problem: `it is not valid JSON${at ? ` at ${at}` : ''}` };
  }
}

/** A normalized base URL, or the problem without quoting the text, which may be a key pasted by mistake. */
export function serviceAt(text: string): { readonly url?: string; readonly problem?: string } {
  try {
    return { url: baseUrlFrom(text) };
  } catch (error) {
    const { message } = failureFrom(error);
    return { problem: text === '' ? message : message.replaceAll(text, '…') };
  }
}

type Check = (value: string, name: string, context: Context, stored: Stored) => Finding;

/** By the variable of the environment. */
const checks: Readonly<Record<string, Check>> = {
  CB_API_KEY: (value, name) => {
    const fix = 'Set it to the complete key from Settings, API Management, or unset it.';
    return keyFinding(name, value.trim(), 'set; overrides the stored profiles', fix);
  },
  CB_BASE_URL: (value, name, { env }, stored) => {
    const { url, problem = '' } = serviceAt(value);
    const fix = 'Set it to a URL such as https://api.clickbank.com, or unset it.';
    if (url === undefined) return errorFinding(name, problem, fix);
    const used = env.CB_PROFILE ?? stored.current;
    const profile = stored.profiles.find((one) => one.name === used)?.profile;
    const own = (profile && serviceAt(profile.baseUrl).url) ?? url;
    if (env.CB_API_KEY !== undefined || own === url) return fine(name, url);
    const found = `It is ${url}, but the key of profile '${used}' belongs to ${own}.`;
    return errorFinding(name, found, 'Unset CB_BASE_URL, or set CB_API_KEY too.');
  },
  CB_PROFILE: (value, name, { env }, stored) => {
    if (env.CB_API_KEY !== undefined) {
      const fix = 'Unset CB_API_KEY or CB_PROFILE.';
      return warning(name, 'It has no effect because CB_API_KEY is set.', fix);
    }
    const known = ['sandbox', ...stored.profiles.map((profile) => profile.name)];
    if (isBuiltIn(value) || known.includes(value)) return fine(name, value);
    const fix = `Set it to one of ${known.join(', ')}, or unset it.`;
    // Not quoted, since it may be a key pasted by mistake.
    return errorFinding(name, 'It names a profile that does not exist.', fix);
  },
  CB_INS_SECRET: (value, name) => {
    const problem = problemWithSecret(value.trim());
    if (!problem) return fine(name, 'set; tried first for notifications');
    const fix = 'Set it to the secret key of your notifications, or unset it.';
    return errorFinding(name, problem, fix);
  },
  CI: effect('prompts are disabled'),
  NO_COLOR: effect('color is disabled'),
  XDG_CONFIG_HOME: folder('profiles are stored there'),
  XDG_STATE_HOME: folder('the shared rate limit is stored there'),
  XDG_DATA_HOME: folder('the sandbox, copies and the ledger are stored there'),
  NODE_EXTRA_CA_CERTS: (file, name, context) => {
    try {
      accessSync(pathOf(context, file), constants.R_OK);
      return fine(name, file);
    } catch {
      const fix = 'Set it to a file of PEM certificates, or unset it.';
      return warning(name, `${file} can't be read. Node ignores it.`, fix);
    }
  },
};

function environmentFindings(context: Context, stored: Stored): Finding[] {
  const { env } = context;
  const found = Object.entries(checks).map(([name, check]) => {
    const value = env[name];
    return value ? check(value, name, context, stored) : undefined;
  });
  return [...found, ...proxyFindings(env)].filter((finding) => finding !== undefined);
}

function effect(description: string): Check {
  return (_, name) => fine(name, `set; ${description}`);
}

function folder(description: string): Check {
  return (_, name, context) => {
    if (absoluteFrom(context, name) !== undefined) return fine(name, `set; ${description}`);
    const found = 'It is ignored because it is not an absolute path.';
    return warning(name, found, 'Set it to an absolute path, or unset it.');
  };
}

function proxyFindings(env: Context['env']): Finding[] {
  const { proxy, exceptions } = proxyNames(env);
  const except = exceptions ? [fine(exceptions, env[exceptions] ?? '')] : [];
  if (proxy === undefined) return except;
  try {
    // Without the user and the password.
    const { origin } = proxyFor(liveBaseUrl, env) ?? {};
    const effect = origin ? `${origin}, used for requests` : `not used because of ${exceptions}`;
    return [fine(proxy, effect), ...except];
  } catch (error) {
    const { message, hint = 'Unset it.' } = failureFrom(error);
    return [errorFinding(proxy, message, hint), ...except];
  }
}

async function machineFindings(context: Context): Promise<Finding[]> {
  const { openDatabase } = await import('../../storage/sqlite.ts');
  // In memory, so that nothing is created.
  const problem = await openDatabase(':memory:').then(
    (database) => void database.close(),
    reasonOf,
  );
  const isExecutable = context.runtime.executable !== undefined;
  const repair = isExecutable ? 'Make this folder private' : 'Run `npm install -g libsql`';
  const install = `${repair}. Everything except the sandbox works without it.`;
  return [
    nodeFinding(context),
    fine('cb', version),
    folderFinding('config-folder', configFolder(context), '`cb login` cannot store a key'),
    folderFinding('state-folder', stateFolder(context), 'cb processes do not share one pace'),
    folderFinding('data-folder', dataFolder(context), 'cb can keep no data'),
    problem === undefined
      ? fine('sandbox-driver', 'libsql loads')
      : warning('sandbox-driver', problem, install),
  ];
}

/** As `engines` in package.json. */
const oldest = '20.18';

function nodeFinding({ runtime: { node }, platform }: Context): Finding {
  const found = `${node} on ${platform}`;
  if (node.localeCompare(oldest, 'en', { numeric: true }) >= 0) return fine('node', found);
  const fix = `Install Node ${oldest} or newer.`;
  return errorFinding('node', `${found} is older than ${oldest}.`, fix);
}

/** A folder that does not exist yet is fine if it can be created. */
function folderFinding(check: string, folder: string, harm: string): Finding {
  let existing = folder;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  try {
    // The slash, so that it must be a folder.
    accessSync(`${existing}/`, constants.W_OK);
    return fine(check, existing === folder ? folder : `${folder}, not created yet`);
  } catch {
    const fix = `Make ${existing} a folder that you can write to.`;
    return warning(check, `${folder} can't be written, so ${harm}.`, fix);
  }
}

async function incrementalExportFindings(context: Context): Promise<Finding[]> {
  const folder = sinceFolder(context);
  let names: string[] = [];
  try {
    names = readdirSync(folder);
  } catch {
    // Reported with the folder that it is in, or there is no such export.
  }
  const files = names.filter((name) => name.endsWith('.json'));
  const findings = files.sort().map(async (file) => {
    try {
      await readState(join(folder, file));
      return [];
    } catch (error) {
      if (!(error instanceof WorkflowError)) throw error;
      const { message, hint = '' } = error;
      return [warning(`since-last ${file.replace(/\.json$/, '')}`, message, hint)];
    }
  });
  return (await Promise.all(findings)).flat();
}
