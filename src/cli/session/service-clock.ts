/**
 * Which clock counts the days: that of a service on this machine, which may be ahead, else this
 * machine's. Each service is asked once per command.
 */
import { baseUrlFrom, isLoopback } from '../../client/http/origin.ts';
import { proxyFor } from '../../client/http/proxy.ts';
import { serviceTime } from '../../client/http/sender.ts';
import type { Day } from '../../dates/day.ts';
import { dayIn, serviceZone } from '../../dates/pacific.ts';
import { baseUrlIn, type ServiceSource } from '../../profiles/find-service.ts';
import { nearest } from '../flags/nearest.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import type { Context } from '../runtime/context.ts';
import { usage } from '../runtime/failure.ts';
import { version } from '../runtime/version.ts';
import { countByMachine } from './clock-difference.ts';
import { sandboxNow } from './sandbox-session.ts';
import { sourceOf } from './session.ts';
import { profilesOf } from './stored-profiles.ts';

/** `machine` never asks a service over the network, `service` always does, `local` asks one of this machine. */
export type TimeSource = 'machine' | 'local' | 'service';

type Asking = Pick<CommandContext, 'context' | 'flags'>;

/** The day where the user counts it: in --tz, otherwise in the time zone of the service. */
export async function todayOf(cmd: Asking, source?: TimeSource): Promise<Day> {
  const { tz = serviceZone } = cmd.flags;
  const now = await nowFor(cmd, source);
  try {
    return dayIn(tz, now);
  } catch {
    const near = nearest(tz.trim().replaceAll(' ', '_'), Intl.supportedValuesOf('timeZone'));
    const hint = 'Use the name of a time zone, such as America/New_York or UTC.';
    throw usage(`Invalid --tz '${tz}'.`, { hint: near ? `Did you mean ${near}?` : hint });
  }
}

/** The day in the time zone of the service. */
export async function serviceDayOf(cmd: Asking, source?: TimeSource): Promise<Day> {
  return dayIn(serviceZone, await nowFor(cmd, source));
}

/** What time it is for the service that was asked for; the built-in sandbox always tells. */
export async function nowFor(cmd: Asking, time: TimeSource = 'local'): Promise<Date> {
  const { context } = cmd;
  const source = await sourceOf(cmd);
  if (source.kind === 'sandbox') {
    return sandboxNow(context);
  }
  if (time === 'machine') return context.now();
  const baseUrl = await baseUrlOf(cmd, source);
  const isAsked = time === 'service' || (baseUrl && isLoopback(new URL(baseUrl).hostname));
  return baseUrl && isAsked ? timeAtService(context, baseUrl) : countByMachine(context);
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

/** How far each service is ahead of this machine in milliseconds, by base URL. */
const asked = new WeakMap<Context, Map<string, Promise<number | undefined>>>();

/** Milliseconds; the time is worth no longer wait. */
const patience = 5000;

/** This machine's time if the service does not tell its own. */
async function timeAtService(context: Context, baseUrl: string): Promise<Date> {
  const services = asked.get(context) ?? new Map<string, Promise<number | undefined>>();
  asked.set(context, services);
  const ahead = services.get(baseUrl) ?? aheadOf(context, baseUrl);
  services.set(baseUrl, ahead);
  return new Date(context.now().getTime() + ((await ahead) ?? 0));
}

async function aheadOf(context: Context, baseUrl: string): Promise<number | undefined> {
  const { env, signal } = context;
  const userAgent = `clickbank-cli/${version}`;
  const proxy = proxyFor(baseUrl, env);
  const time = await serviceTime({ baseUrl, userAgent, timeout: patience, proxy, signal });
  return time && time.getTime() - context.now().getTime();
}
