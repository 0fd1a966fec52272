/** Reads the file of profiles, also a damaged one that other commands reject, and checks it and its permissions. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseUrlFrom } from '../../client/http/origin.ts';
import { countOf } from '../../decimals/decimals.ts';
import { isProfile, isRecord, type Profile } from '../../profiles/credentials.ts';
import { isBuiltIn } from '../../profiles/find-service.ts';
import { statsOf } from '../../profiles/private-file.ts';
import type { Context } from '../../shell/context.ts';
import { failureFrom } from '../../shell/failure.ts';
import { configFolder } from '../../shell/folders.ts';
import { settingNames, settingOf } from '../../shell/session/settings.ts';
import { shellWord } from '../../shell/shell-word.ts';
import { codeOf, shownCode } from '../../storage/error-code.ts';
import { errorFinding, type Finding, fine, keyFinding, warning } from './finding.ts';

export function configurationFindings(context: Context, stored: Stored): Finding[] {
  return [
    fileFinding(context, stored),
    ...ownerFindings(context, stored.folder),
    ...ownerFindings(context, stored.file),
    ...modeFindings(context, stored),
    ...stored.profiles.flatMap((profile) => profileFindings(profile, stored)),
    ...currentFinding(context, stored),
  ];
}

function fileFinding({ env }: Context, { file, problem, current, profiles }: Stored): Finding {
  if (problem !== undefined) {
    const fix = 'Fix it, or move it away and run `cb login` again.';
    return errorFinding('config-file', `${file}: ${problem}.`, fix);
  }
  const count = profiles.length > 0 && countOf(profiles.length, 'profile');
  const hasKey = env.CB_API_KEY !== undefined && 'no profiles; CB_API_KEY is set';
  const isSandbox = typeof current === 'string' && isBuiltIn(current);
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

function profileFindings({ name, profile }: StoredProfile, { current }: Stored): Finding[] {
  const check = `profile ${name}`;
  const again = `cb login --profile ${name}`;
  if (!profile) return [errorFinding(check, 'The profile has no base URL or no key.', again)];
  const { url, problem = '' } = serviceAt(profile.baseUrl);
  if (url === undefined) return [errorFinding(check, problem, again)];
  const found = `${url}${name === current ? ', current profile' : ''}`;
  const shown =
    profile.keychain === undefined
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

interface StoredProfile {
  readonly name: string;
  /** Undefined without a base URL or a key. */
  readonly profile: Profile | undefined;
}

/** `problem` is a clause that says why the file can't be read, without quoting it. */
export interface Stored {
  readonly folder: string;
  readonly file: string;
  readonly problem?: string;
  readonly current?: unknown;
  readonly profiles: readonly StoredProfile[];
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
