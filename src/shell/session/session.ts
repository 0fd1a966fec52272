/** Opens the service of a command: the profile, what is missing, the client, and what time it is there. */
import { join } from 'node:path';
import { type Client, createClient } from '../../client/client.ts';
import type { ClientEvent } from '../../client/exchange.ts';
import { baseUrlFrom, isLoopback, proxyFor } from '../../client/http/origin.ts';
import { serviceTime, type TraceListener } from '../../client/http/sender.ts';
import { type Day, dayIn, serviceZone } from '../../dates/day.ts';
import { isBuiltIn, type Profile, type Profiles, plainName } from '../../profiles/credentials.ts';
import {
  baseUrlIn,
  environmentService,
  findSource,
  type ServiceSource,
  storedService,
} from '../../profiles/find-service.ts';
import type {
  Asking,
  CommandContext,
  CommonFlags,
  Context,
  Messages,
  Session,
} from '../context.ts';
import { exitCodes, Failure, usage } from '../failure.ts';
import { stateFolder } from '../folders.ts';
import { suggest } from '../options/nearest.ts';
import { durationFrom } from '../options/values.ts';
import { timeZoneOf } from '../terminal/zone.ts';
import { version } from '../version.ts';
import { openSandbox, sandboxNow } from './sandbox-session.ts';
import { settingOf } from './settings.ts';
import { profilesOf, settingsOf } from './stored-profiles.ts';

export type { Session };

/** Calls that have already printed the warning: one command may open several sessions. */
const warned = new WeakSet<Context>();

/** With `needsKey` false, the session has no key if none is stored or in the environment. */
export async function openSession(cmd: CommandContext, needsKey = true): Promise<Session> {
  const source = await sourceOf(cmd);
  if (source.kind === 'sandbox') {
    return openSandbox(cmd, source.key);
  }
  const { env } = cmd.context;
  if (source.kind === 'environment') {
    const service = environmentService(env);
    // Once per call. The key is still used, because only the service knows which keys are valid.
    if (!/^(API|DEV)-/.test(service.key) && !warned.has(cmd.context)) {
      warned.add(cmd.context);
      const prefixes = "'API-' or 'DEV-', as ClickBank keys do";
      cmd.messages.say(`warning: CB_API_KEY does not begin with ${prefixes}.`);
    }
    return service;
  }
  if (source.name === undefined) {
    if (!needsKey) return { profile: undefined, baseUrl: baseUrlIn(env), key: '', isPublic: true };
    throw new Failure(exitCodes.key, 'There is no API key yet.', {
      hint: 'Store yours with `cb login`, or add --sandbox to use sample orders. Scripts can set CB_API_KEY.',
    });
  }
  return storedService(source.name, profileNamed(await profilesOf(cmd), source.name), env);
}

export async function sourceOf(cmd: Asking) {
  const named = namedProfile(cmd.flags);
  return findSource(named, cmd.context.env, async () => (await profilesOf(cmd)).current());
}

/** The one profile that options name, if any. Throws a usage failure if they name several. */
export function namedProfile({ allProfiles, profile, sandbox }: CommonFlags): string | undefined {
  if (allProfiles || profile?.includes(',')) {
    throw usage('This command takes only one profile.');
  }
  if (sandbox && profile !== undefined && !isBuiltIn(profile)) {
    throw usage('--sandbox and --profile name different services.', {
      hint: 'Use one or the other.',
    });
  }
  return profile ?? (sandbox ? 'sandbox' : undefined);
}

/** Returns a stored profile. Throws a Failure if it does not exist. */
export function profileNamed(profiles: Profiles, name: string): Profile {
  const profile = profiles.get(name);
  if (profile) return profile;
  throw unknownProfile(profiles, name);
}

export function unknownProfile(profiles: Profiles, name: string): Failure {
  const known = ['sandbox', ...profiles.names()];
  const list = `Profiles: ${known.join(', ')}.`;
  // Not quoted, because it may be a key.
  if (/^(API|DEV)-/i.test(name)) {
    const message = 'There is no profile of that name, which looks like an API key.';
    const hint = `Set CB_API_KEY, or run \`cb login\`. ${list}`;
    return new Failure(exitCodes.key, message, { hint });
  }
  const hint = suggest(name, known, list);
  const next = hint === list && plainName.test(name) ? `cb login --profile ${name}` : undefined;
  return new Failure(exitCodes.key, `There is no profile '${name}'.`, { hint, next });
}

export function serviceName({ profile, baseUrl }: Pick<Session, 'profile' | 'baseUrl'>): string {
  return profile === undefined ? `${baseUrl} with the key in CB_API_KEY` : `profile ${profile}`;
}

export interface ClientWishes {
  readonly wire?: 'json' | 'xml';
  readonly asReceived?: boolean;
  readonly concurrency?: number;
  /** False for operations that every key, or none, may call. */
  readonly needsKey?: boolean;
  /** Called before each request. If it throws, the request is not sent. */
  readonly onRequest?: () => void;
}

/** Runs `work` with a client of the requested service, or of an open session, and closes both. */
export async function withApi<T>(
  cmd: CommandContext,
  wishes: ClientWishes,
  work: (api: Client, session: Session) => Promise<T>,
  opened?: Session,
): Promise<T> {
  const session = opened ?? (await openSession(cmd, wishes.needsKey));
  try {
    const api = await openClient(cmd, session, wishes);
    try {
      return await work(api, session);
    } finally {
      await api.close();
    }
  } finally {
    await session.close?.();
  }
}

async function openClient(
  cmd: CommandContext,
  session: Session,
  { wire, asReceived = false, concurrency, onRequest }: ClientWishes,
): Promise<Client> {
  const { flags, context, messages } = cmd;
  const { timeout = '60s', maxWait = '60s', wire: typed = 'json' } = flags;
  if (wire === undefined && typed !== 'json' && typed !== 'xml') {
    throw usage(`Invalid --wire '${typed}'. Use json or xml.`);
  }
  const isLocal = isLoopback(new URL(session.baseUrl).hostname);
  const pace = settingOf('pace', await settingsOf(cmd, session.profile));
  cmd.keysInUse.push(session.key);
  return createClient({
    baseUrl: session.baseUrl,
    apiKey: session.isPublic ? undefined : session.key,
    secrets: cmd.keysInUse,
    userAgent: `clickbank-cli/${version}`,
    timeout: durationFrom('--timeout', timeout, { ...inSeconds, least: 1 }),
    maxWait: durationFrom('--max-wait', maxWait, inSeconds),
    // A service on this machine has no limit.
    pace: isLocal && !pace.isSet ? Number.POSITIVE_INFINITY : pace.value,
    paceFolder: join(stateFolder(context), 'pace'),
    ...(concurrency !== undefined && { concurrency }),
    ...(onRequest && { onRequest }),
    wire: wire ?? (typed === 'xml' ? 'xml' : 'json'),
    asReceived,
    // The command has checked its arguments, with the clock of the service.
    validate: false,
    proxy: proxyFor(session.baseUrl, context.env),
    ...{ signal: context.signal, clock: context.clock },
    onEvent: (event) => tellEvent(messages, event),
    trace: flags.debug ? wireLog(messages) : undefined,
    onServiceTime: (time) => keepServiceTime(context, time, isLocal ? undefined : messages),
  });
}

const inSeconds = { bare: 's', most: 7 * 86_400_000, examples: '30s or 2m' } as const;

/** Minimum wait that is reported, in milliseconds. */
const longWait = 2000;

function tellEvent({ tell, debug }: Messages, event: ClientEvent): void {
  if (event.type === 'request') return;
  if (event.type === 'unshared') {
    debug(`Requests are paced for this process alone: ${event.why}`);
  } else if (event.type === 'paced') {
    debug(`Waited ${Math.round(event.milliseconds)} ms to keep the pace.`);
  } else if (event.type === 'waiting') {
    const show = event.milliseconds >= longWait ? tell : debug;
    show(`Waiting ${(event.milliseconds / 1000).toFixed(1)}s: ${event.why}`);
  }
}

function wireLog({ debug }: Messages): TraceListener {
  const debugHeaders = (number: number, headers: Readonly<Record<string, string>>) => {
    const each = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    debug(`  #${number} ${each.join('; ')}`);
  };
  return {
    sent({ number, method, url, headers }) {
      debug(`> ${method} ${url} page ${headers.page}`);
      debugHeaders(number, headers);
    },
    answered({ number, method, url, headers }, answer, took) {
      const size = `${answer.bytes} bytes in ${Math.round(took)} ms`;
      debug(`< ${answer.status} ${method} ${url} page ${headers.page}: ${size}`);
      debugHeaders(number, answer.headers);
      const { body } = answer;
      if (body !== '') debug(`  #${number} ${inOneLine(body)}`);
    },
    failed({ number, method, url, headers }, why, took) {
      const end = `${why.replace(/\.$/, '')}, after ${Math.round(took)} ms`;
      debug(`< no response to ${method} ${url} page ${headers.page}: ${end} (#${number})`);
    },
  };
}

/** Number of characters of a body that are shown. */
const shownLength = 2048;

/** Escapes line breaks, so that nothing in a body looks like a line of cb. */
function inOneLine(body: string): string {
  const line = body.slice(0, shownLength).replace(/\s+/g, ' ').trim();
  return body.length < shownLength ? line : `${line}… (use --raw to see all of it)`;
}

/** Milliseconds that the service is ahead of this machine, by its responses. */
const ahead = new WeakMap<Context, number>();

/** The time at the service by its responses; before the first one, the time of this machine. */
export function serviceNow(context: Context): Date {
  return new Date(context.now().getTime() + (ahead.get(context) ?? 0));
}

/** Calls that use the time of this machine: `keepServiceTime` compares it with the time in the next response. */
const countsByMachine = new WeakSet<Context>();

/** What is wrong with the clock of this machine, as a clause; undefined if it differs by at most 5 minutes. */
export function clockProblem(milliseconds: number): string | undefined {
  const minutes = Math.round(Math.abs(milliseconds) / 60_000);
  const where = milliseconds > 0 ? 'behind' : 'ahead of';
  if (Math.abs(milliseconds) <= 5 * 60_000) return undefined;
  return `The clock of this machine is ${minutes} minutes ${where} the service's`;
}

/** Milliseconds: a response tells its time in whole seconds, and takes a while. */
const imprecision = 2000;

/** Keeps the time of a response. `messages` is absent for a service on this machine. */
function keepServiceTime(context: Context, service: Date, messages?: Messages): void {
  const difference = service.getTime() - context.now().getTime();
  const known = ahead.get(context) ?? Number.POSITIVE_INFINITY;
  // A clock is set while a listener runs.
  if (Math.abs(difference - known) > imprecision) ahead.set(context, difference);
  if (!messages || !countsByMachine.delete(context)) return;
  const problem = clockProblem(difference);
  if (problem) {
    messages.say(`warning: ${problem}, so words such as 'today' may mean another day.`);
  }
}

/** `machine` never requests the time, `service` always does, and `local` only from a service on this machine. */
export type TimeSource = 'machine' | 'local' | 'service';

/** Returns today in the zone of --tz, otherwise in the time zone of the service. */
export async function todayOf(cmd: Asking, source?: TimeSource): Promise<Day> {
  return dayIn(timeZoneOf(cmd).name, await nowFor(cmd, source));
}

/** The day in the time zone of the service. */
export async function serviceDayOf(cmd: Asking, source?: TimeSource): Promise<Day> {
  return dayIn(serviceZone, await nowFor(cmd, source));
}

/** Returns the time of the requested service. The time of the built-in sandbox is always known. */
export async function nowFor(cmd: Asking, time: TimeSource = 'local'): Promise<Date> {
  const { context } = cmd;
  const source = await sourceOf(cmd);
  if (source.kind === 'sandbox') {
    return sandboxNow(context);
  }
  if (time === 'machine') return context.now();
  const baseUrl = await baseUrlOf(cmd, source);
  const isAsked = time === 'service' || (baseUrl && isLoopback(new URL(baseUrl).hostname));
  if (baseUrl && isAsked) return timeAtService(context, baseUrl);
  countsByMachine.add(context);
  return context.now();
}

/** Returns undefined if the base URL is missing or invalid; opening the session reports why. */
async function baseUrlOf(
  cmd: Asking,
  source: Exclude<ServiceSource, { kind: 'sandbox' }>,
): Promise<string | undefined> {
  try {
    if (source.kind === 'environment') return baseUrlIn(cmd.context.env);
    const profile = (await profilesOf(cmd)).get(source.name ?? '');
    return profile && baseUrlFrom(profile.baseUrl);
  } catch {
    return undefined;
  }
}

/** By base URL: how many milliseconds the clock of the service is ahead of this machine. */
const asked = new WeakMap<Context, Map<string, Promise<number | undefined>>>();

/** In milliseconds. A busy sandbox responds late, and the clock of this machine may be days behind its own. */
const patience = 20_000;

/** Returns the time of the service, or of this machine if the service does not send its own. */
async function timeAtService(context: Context, baseUrl: string): Promise<Date> {
  const services = asked.get(context) ?? new Map<string, Promise<number | undefined>>();
  asked.set(context, services);
  const ask = async () => {
    const { env, signal } = context;
    const [userAgent, proxy] = [`clickbank-cli/${version}`, proxyFor(baseUrl, env)];
    const time = await serviceTime({ baseUrl, userAgent, timeout: patience, proxy, signal });
    return time && time.getTime() - context.now().getTime();
  };
  const ahead = services.get(baseUrl) ?? ask();
  services.set(baseUrl, ahead);
  return new Date(context.now().getTime() + ((await ahead) ?? 0));
}
