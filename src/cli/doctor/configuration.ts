/** Checks of the configuration: the file, its permissions, and its profiles. */
import { isRecord, type Profile } from '../../profiles/credentials.ts';
import { isBuiltIn } from '../../profiles/find-service.ts';
import { statsOf } from '../../profiles/private-file.ts';
import type { Context } from '../runtime/context.ts';
import { failureFrom } from '../runtime/failure.ts';
import { settingNames, settingOf } from '../session/settings.ts';
import { type Finding, fault, fine, keyFinding, warning } from './finding.ts';
import { type Stored, type StoredProfile, serviceAt } from './stored.ts';

export function configurationFindings(context: Context, stored: Stored): Finding[] {
  return [
    fileFinding(context, stored),
    ...standingFindings(context, stored.folder),
    ...standingFindings(context, stored.file),
    ...modeFindings(context, stored),
    ...stored.profiles.flatMap((profile) => profileFindings(profile, stored)),
    ...currentFinding(context, stored),
  ];
}

function fileFinding({ env }: Context, { file, problem, profiles }: Stored): Finding {
  if (problem !== undefined) {
    const fix = 'mend it, or move it away and run cb login again';
    return fault('config-file', `${file}: ${problem}`, fix);
  }
  const count = profiles.length === 1 ? '1 profile' : `${profiles.length} profiles`;
  if (profiles.length > 0) return fine('config-file', `${file}: ${count}`);
  if (env.CB_API_KEY !== undefined) {
    return fine('config-file', `${file}: no profile; CB_API_KEY is set`);
  }
  const fix = 'cb login stores a key; --sandbox works without one';
  return warning('config-file', `${file}: no profile yet`, fix);
}

/** Commands refuse symbolic links and files of other users. */
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

/** On Windows, modes do not show who can read a file. */
function modeFindings({ platform }: Context, { file, folder }: Stored): Finding[] {
  if (platform === 'win32') return [];
  const places = [
    ['config-mode', file, '600', fault, 'others may read the keys'],
    ['config-folder-mode', folder, '700', warning, 'others may look in'],
  ] as const;
  return places.flatMap(([check, path, right, report, harm]) => {
    const mode = statsOf(path)?.mode;
    if (mode === undefined) return [];
    const octal = (mode & 0o777).toString(8).padStart(4, '0');
    if ((mode & 0o077) === 0) return [fine(check, octal)];
    return [report(check, `${octal}: ${harm}`, `chmod ${right} ${quoted(path)}`)];
  });
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function profileFindings({ name, profile }: StoredProfile, { current }: Stored): Finding[] {
  const check = `profile ${name}`;
  const again = `cb login --profile ${name}`;
  if (!profile) return [fault(check, 'it has no base URL or no key', again)];
  const { url, problem = '' } = serviceAt(profile.baseUrl);
  if (url === undefined) return [fault(check, problem, again)];
  const found = `${url}${name === current ? ', used when none is named' : ''}`;
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
      return [fault(`setting ${setting} of ${name}`, failureFrom(error).message, fix)];
    }
  });
}

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
