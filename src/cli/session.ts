/** Which service with which key: flag, then environment, then the stored profile. */

import { join } from 'node:path';
import type { Client as Api } from '../api/client.ts';
import type { Profile, Profiles } from '../api/credentials.ts';
import { exitCodes } from './exit-codes.ts';
import { Failure, usage } from './failure.ts';
import { configFolder, stateFolder } from './folders.ts';
import { warnOfForm } from './key-warning.ts';
import { messagesOf } from './messages.ts';
import { nearest } from './nearest.ts';
import type { Shell } from './shell.ts';
import { version } from './version.ts';
import { tellEvent, wireLog } from './wire-log.ts';

/** An open way to the service. */
export interface Session {
  /** Name of the profile; the environment has none. */
  readonly profile: string | undefined;
  readonly baseUrl: string;
  readonly key: string;
  /** There is no key. */
  readonly isPublic?: boolean;
  close(): Promise<void>;
}

/** The built-in profile, with a colon and the name of one of its keys where it isn't the full one. */
const builtIn = /^sandbox(?::(.+))?$/;

export function isBuiltIn(profile: string): boolean {
  return builtIn.test(profile);
}

export async function openSession(shell: Shell): Promise<Session> {
  const asked = await askedProfile(shell);
  if (asked.kind === 'environment') return fromEnvironment(shell);
  if (asked.kind === 'stored') return fromProfile(shell, await profilesOf(shell), asked.name);
  const { openSandbox } = await import('./sandbox-session.ts');
  return openSandbox(shell, asked.key);
}

/** Where a command is to go. */
export type Asked =
  | { readonly kind: 'environment' }
  | { readonly kind: 'sandbox'; readonly key: string }
  | { readonly kind: 'stored'; readonly name: string | undefined };

export async function askedProfile(shell: Pick<Shell, 'context' | 'flags'>): Promise<Asked> {
  const { env } = shell.context;
  const named = namedProfile(shell.flags);
  if (named === undefined && env.CB_API_KEY !== undefined) return { kind: 'environment' };
  const name = named ?? env.CB_PROFILE ?? (await profilesOf(shell)).current();
  if (/\p{Cc}/u.test(name ?? '')) {
    const source = named === undefined ? 'CB_PROFILE' : '--profile';
    throw usage(`${source} holds a line break or another control character`);
  }
  const sandbox = builtIn.exec(name ?? '');
  return sandbox ? { kind: 'sandbox', key: sandbox[1] ?? 'full' } : { kind: 'stored', name };
}

function namedProfile(flags: Shell['flags']): string | undefined {
  if (flags.allProfiles || flags.profile?.includes(',')) {
    throw usage('this command takes one profile: several are for commands that only read');
  }
  if (!flags.sandbox) return flags.profile;
  if (flags.profile !== undefined && !builtIn.test(flags.profile)) {
    throw usage('--sandbox and --profile name two different services');
  }
  return flags.profile ?? 'sandbox';
}

export async function profilesOf({ context }: Pick<Shell, 'context'>): Promise<Profiles> {
  const { openProfiles } = await import('../api/credentials.ts');
  return openProfiles({
    folder: configFolder(context),
    user: context.user,
    lock: async (path) => (await import('./lock.ts')).lockInTurn(context, path),
    onLoose: (note) => messagesOf(context).say(`warning: ${note}`),
  });
}

/** The key of a stored profile, out of the file or the keychain. */
export async function keyOf(name: string, { key, keychain }: Profile): Promise<string> {
  if (keychain === undefined) return key ?? '';
  const { keyInKeychain } = await import('../api/keychain.ts');
  const kept = await keyInKeychain(keychain);
  if (kept !== undefined) return kept;
  throw new Failure(exitCodes.key, `the keychain holds no key of profile '${name}' any more`, {
    next: `cb login --profile ${name} --keychain`,
  });
}

async function fromEnvironment(shell: Shell): Promise<Session> {
  const { env } = shell.context;
  const key = env.CB_API_KEY?.trim() ?? '';
  if (key === '') throw new Failure(exitCodes.key, 'CB_API_KEY is set but empty');
  warnOfForm(shell, key);
  return { profile: undefined, baseUrl: await baseUrlOf(shell), key, close };
}

/** What CB_BASE_URL says, else the live service. */
export async function baseUrlOf({ context: { env } }: Shell): Promise<string> {
  const { baseUrlFrom, liveBaseUrl } = await import('../api/origin.ts');
  return baseUrlFrom(env.CB_BASE_URL || liveBaseUrl, 'CB_BASE_URL');
}

async function fromProfile(
  { context: { env } }: Shell,
  profiles: Profiles,
  name: string | undefined,
): Promise<Session> {
  if (name === undefined) {
    throw new Failure(exitCodes.key, 'there is no API key yet', {
      hint: 'log in with `cb login`, set CB_API_KEY, or try everything with --sandbox',
      next: 'cb login',
    });
  }
  const profile = profiles.get(name);
  if (!profile) {
    const known = ['sandbox', ...profiles.names()].join(', ');
    // Not quoted where a key was put in its place.
    if (/^(API|DEV)-/i.test(name)) {
      throw new Failure(exitCodes.key, 'there is no profile of that name, which looks like a key', {
        hint: `there are: ${known}; a key goes into CB_API_KEY or \`cb login\``,
      });
    }
    const near = nearest(name, ['sandbox', ...profiles.names()]);
    throw new Failure(exitCodes.key, `there is no profile '${name}'`, {
      hint: near ? `did you mean ${near}?` : `there are: ${known}`,
      next: `cb login --profile ${name}`,
    });
  }
  const { baseUrlFrom } = await import('../api/origin.ts');
  const baseUrl = baseUrlFrom(profile.baseUrl, `the base URL of profile '${name}'`);
  if (env.CB_BASE_URL && baseUrlFrom(env.CB_BASE_URL, 'CB_BASE_URL') !== baseUrl) {
    throw new Failure(
      exitCodes.key,
      `the key of profile '${name}' belongs to ${baseUrl}, and CB_BASE_URL names another service`,
      { hint: 'unset CB_BASE_URL, or set CB_API_KEY too' },
    );
  }
  return { profile: name, baseUrl, key: await keyOf(name, profile), close };
}

/** The service of a session in words, as in "profile sandbox". */
export function serviceName({ profile, baseUrl }: Pick<Session, 'profile' | 'baseUrl'>): string {
  return profile === undefined ? `${baseUrl} with the key in CB_API_KEY` : `profile ${profile}`;
}

async function close(): Promise<void> {
  // A service elsewhere needs no closing.
}

/** What a command may ask of the client, beside the common flags. */
export interface ClientWishes {
  readonly wire?: 'json' | 'xml' | 'csv';
  readonly asReceived?: boolean;
  readonly concurrency?: number;
}

/** Opens the service that is asked for, hands its client to `work`, and closes both. */
export async function withApi<T>(
  shell: Shell,
  wishes: ClientWishes,
  work: (api: Api, session: Session) => Promise<T>,
): Promise<T> {
  return withSession(shell, await openSession(shell), wishes, work);
}

/** The same on a session that is open already; it is closed at the end. */
export async function withSession<T>(
  shell: Shell,
  session: Session,
  wishes: ClientWishes,
  work: (api: Api, session: Session) => Promise<T>,
): Promise<T> {
  try {
    const api = await openClient(shell, session, wishes);
    try {
      return await work(api, session);
    } finally {
      await api.close();
    }
  } finally {
    await session.close();
  }
}

async function openClient(shell: Shell, session: Session, wishes: ClientWishes): Promise<Api> {
  const { flags, context } = shell;
  const [{ createClient }, { proxyFor }, { isLoopback }, { compareClocks }, pace] =
    await Promise.all([
      import('../api/client.ts'),
      import('../api/proxy.ts'),
      import('../api/origin.ts'),
      import('./service-clock.ts'),
      paceFor(shell, session),
    ]);
  shell.keysInUse.push(session.key);
  return createClient({
    baseUrl: session.baseUrl,
    apiKey: session.isPublic ? undefined : session.key,
    secrets: shell.keysInUse,
    userAgent: `clickbank-cli/${version}`,
    timeout: seconds(flags.timeout, '--timeout', 60),
    maxWait: seconds(flags.maxWait, '--max-wait', 60),
    pace,
    paceFolder: join(stateFolder(context), 'pace'),
    ...(wishes.concurrency !== undefined && { concurrency: wishes.concurrency }),
    wire: wishes.wire ?? wireFormat(shell),
    asReceived: wishes.asReceived ?? false,
    proxy: proxyFor(session.baseUrl, context.env),
    signal: context.signal,
    clock: context.clock,
    onEvent: (event) => tellEvent(shell.messages, event),
    trace: flags.debug ? wireLog(shell.messages) : undefined,
    onServiceTime(time) {
      const isLocal = isLoopback(new URL(session.baseUrl).hostname);
      if (!isLocal) compareClocks(context, shell.messages, time);
    },
  });
}

/** Requests a second: as the profile says, and without limit where a service of this machine serves. */
async function paceFor(shell: Shell, { profile, baseUrl }: Session): Promise<number> {
  const [{ isLoopback }, { settingOf }] = await Promise.all([
    import('../api/origin.ts'),
    import('./settings.ts'),
  ]);
  const isStored = profile !== undefined && !isBuiltIn(profile);
  const stored = isStored ? (await profilesOf(shell)).get(profile)?.settings : undefined;
  const { value, isSet } = settingOf('pace', stored);
  return !isSet && isLoopback(new URL(baseUrl).hostname) ? Number.POSITIVE_INFINITY : value;
}

function wireFormat({ flags: { wire = 'json' } }: Shell): 'json' | 'xml' {
  if (wire === 'json' || wire === 'xml') return wire;
  throw usage(`--wire must be json or xml, not '${wire}'`);
}

/** Milliseconds out of a flag in seconds. */
function seconds(typed: string | undefined, flag: string, otherwise: number): number {
  if (typed === undefined) return otherwise * 1000;
  const number = /^\d{1,5}(\.\d{1,3})?$/.test(typed) ? Number(typed) : Number.NaN;
  if (Number.isNaN(number) || (number === 0 && flag === '--timeout')) {
    throw usage(`${flag} must be a number of seconds, not '${typed}'`);
  }
  return number * 1000;
}
