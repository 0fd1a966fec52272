/** The configuration: the file, who may read it, its profiles and which of them is used. */
import { lstatSync } from 'node:fs';
import type { Settings } from '../../profiles/credentials.ts';
import { isBuiltIn } from '../../profiles/find-service.ts';
import { statsOf } from '../../profiles/private-file.ts';
import type { Context } from '../context.ts';
import { failureFrom } from '../failure.ts';
import { type SettingName, settingOf, settings } from '../settings.ts';
import { type Finding, fault, fine, warning } from './finding.ts';
import { keyForm } from './forms.ts';
import { isRecord, type Stored, type StoredProfile } from './stored.ts';

export function configurationFindings(context: Context, stored: Stored): Finding[] {
  const keyInEnvironment = context.env.CB_API_KEY !== undefined;
  return [
    fileFinding(stored, keyInEnvironment),
    ...[stored.folder, stored.file].flatMap((path) => standingFindings(context, path)),
    ...(context.platform === 'win32' ? [] : modeFindings(stored)),
    ...stored.profiles.flatMap((profile) => profileFindings(profile, stored)),
    ...currentFinding(context, stored),
  ];
}

function fileFinding(
  { file, state, problem, profiles }: Stored,
  keyInEnvironment: boolean,
): Finding {
  if (state === 'faulty') {
    const fix = 'mend it, or move it away and run cb login again';
    return fault('config-file', `${file}: ${problem}`, fix);
  }
  const count = profiles.length === 1 ? '1 profile' : `${profiles.length} profiles`;
  if (state === 'read' && profiles.length > 0) return fine('config-file', `${file}: ${count}`);
  if (keyInEnvironment) return fine('config-file', `${file}: no profile; CB_API_KEY is set`);
  const fix = 'cb login stores a key; --sandbox works without one';
  return warning('config-file', `${file}: no profile yet`, fix);
}

/** Commands refuse what is reached by a link, or belongs to somebody else. */
function standingFindings({ user }: Context, path: string): Finding[] {
  const stats = statsOf(path);
  if (!stats) return [];
  if (stats.isSymbolicLink()) {
    const fix = 'put what it points to in its place, or name another folder with XDG_CONFIG_HOME';
    return [fault('config-link', `${path} is a symbolic link, which is not followed`, fix)];
  }
  if (user === undefined || stats.uid === user) return [];
  const found = `${path} belongs to another user (number ${stats.uid})`;
  return [fault('config-owner', found, 'move it away and run cb login again')];
}

/** Windows has other ways to keep others out, and its modes tell nothing. */
function modeFindings({ file, folder }: Stored): Finding[] {
  return [
    ...modeFinding('config-mode', file, '600', fault, 'others may read the keys'),
    ...modeFinding('config-folder-mode', folder, '700', warning, 'others may look in'),
  ];
}

function modeFinding(
  check: string,
  path: string,
  right: string,
  report: typeof warning,
  harm: string,
): Finding[] {
  const mode = modeOf(path);
  if (mode === undefined) return [];
  const octal = (mode & 0o777).toString(8).padStart(4, '0');
  if ((mode & 0o077) === 0) return [fine(check, octal)];
  return [report(check, `${octal}: ${harm}`, `chmod ${right} ${quoted(path)}`)];
}

/** Undefined where there is nothing, or nothing that this user may look at. */
function modeOf(path: string): number | undefined {
  try {
    return lstatSync(path).mode;
  } catch {
    return undefined;
  }
}

/** As a shell takes it for one word. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function profileFindings(profile: StoredProfile, { current }: Stored): Finding[] {
  const { name, service, key, keychain } = profile;
  const check = `profile ${name}`;
  const again = `cb login --profile ${name}`;
  if (!service || typeof (keychain ?? key) !== 'string') {
    return [fault(check, 'it has no base URL or no key', again)];
  }
  const used = name === current ? ', used when none is named' : '';
  if ('problem' in service) return [fault(check, service.problem, again)];
  const shown =
    typeof key === 'string'
      ? keyForm(check, key, `${service.url}${used}`, again)
      : fine(check, `${service.url}${used}, key in the keychain`);
  return [shown, ...settingFindings(profile)];
}

function settingFindings({ name, settings: stored }: StoredProfile): Finding[] {
  if (!isRecord(stored)) return [];
  const known = Object.keys(settings) as SettingName[];
  return known.flatMap((setting) => settingFinding(name, setting, stored));
}

function settingFinding(profile: string, setting: SettingName, stored: Settings): Finding[] {
  try {
    settingOf(setting, stored);
    return [];
  } catch (error) {
    const fix = `cb config unset ${setting} --profile ${profile}`;
    return [fault(`setting ${setting} of ${profile}`, failureFrom(error).message, fix)];
  }
}

/** Nothing where nobody chose: a file without a current profile is told of already. */
function currentFinding({ env }: Context, { current, profiles }: Stored): Finding[] {
  if (current === undefined) return [];
  const isKnown = profiles.some(({ name }) => name === current);
  if (typeof current === 'string' && (isKnown || isBuiltIn(current))) {
    return [fine('current-profile', current)];
  }
  const isAsked = env.CB_API_KEY === undefined && env.CB_PROFILE === undefined;
  const report = isAsked ? fault : warning;
  const found = 'the profile that is used when none is named is not there';
  return [report('current-profile', found, 'cb profiles list, then cb profiles use NAME')];
}
