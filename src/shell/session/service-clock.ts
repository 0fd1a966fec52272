/**
 * Chooses the clock that determines the current day: the clock of a service on this machine, which may be ahead,
 * otherwise the clock of this machine. Requests the time of each service once per command.
 */
import { baseUrlFrom, isLoopback, proxyFor } from '../../client/http/origin.ts';
import { serviceTime } from '../../client/http/sender.ts';
import { type Day, dayIn, serviceZone } from '../../dates/day.ts';
import { baseUrlIn, type ServiceSource } from '../../profiles/find-service.ts';
import type { CommandContext, Context } from '../context.ts';
import { timeZoneOf } from '../terminal/zone.ts';
import { version } from '../version.ts';
import { countByMachine } from './clock-difference.ts';
import { sandboxNow } from './sandbox-session.ts';
import { sourceOf } from './session.ts';
import { profilesOf } from './stored-profiles.ts';

/** `machine` never requests the time, `service` always does, and `local` only from a service on this machine. */
export type TimeSource = 'machine' | 'local' | 'service';

type Asking = Pick<CommandContext, 'context' | 'flags'>;

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

/** By base URL: how many milliseconds the clock of the service is ahead of this machine. */
const asked = new WeakMap<Context, Map<string, Promise<number | undefined>>>();

const patience = 5000;

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
