/**
 * Which clock counts the days: that of a service on this machine, which may be ahead, else this
 * machine's. Each service is asked once per command.
 */
import { baseUrlFrom, isLoopback } from '../../client/http/origin.ts';
import { baseUrlIn, type ServiceSource } from '../../profiles/find-service.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import type { Context } from '../runtime/context.ts';
import type { Messages } from '../runtime/messages.ts';
import { version } from '../runtime/version.ts';
import { profilesOf, sourceOf } from './session.ts';

/** `machine` never asks a service over the network, `service` always does, `local` asks one of this machine. */
export type TimeSource = 'machine' | 'local' | 'service';

type Asking = Pick<CommandContext, 'context' | 'flags'>;

/** What time it is for the service that was asked for; the built-in sandbox always tells. */
export async function nowFor(cmd: Asking, time: TimeSource = 'local'): Promise<Date> {
  const { context } = cmd;
  const source = await sourceOf(cmd);
  if (source.kind === 'sandbox') {
    const { sandboxNow } = await import('./sandbox-session.ts');
    return sandboxNow(context);
  }
  if (time === 'machine') return context.now();
  const baseUrl = await baseUrlOf(cmd, source);
  const isAsked = time === 'service' || (baseUrl && isLoopback(new URL(baseUrl).hostname));
  return baseUrl && isAsked ? timeAtService(context, baseUrl) : timeOfMachine(context);
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

/** Commands that count days by this machine's clock. */
const countsByMachine = new WeakSet<Context>();

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
  const [{ serviceTime }, { proxyFor }] = await Promise.all([
    import('../../client/http/sender.ts'),
    import('../../client/http/proxy.ts'),
  ]);
  const { env, signal } = context;
  const userAgent = `clickbank-cli/${version}`;
  const proxy = proxyFor(baseUrl, env);
  const time = await serviceTime({ baseUrl, userAgent, timeout: patience, proxy, signal });
  return time && time.getTime() - context.now().getTime();
}

/** This machine's time, which the answers of the service are compared with. */
function timeOfMachine(context: Context): Date {
  countsByMachine.add(context);
  return context.now();
}

const mostApart = 5 * 60_000;

/** Warns if days were counted by a clock that is far from the service's. */
export function compareClocks(context: Context, messages: Messages, service: Date): void {
  const apart = service.getTime() - context.now().getTime();
  if (!countsByMachine.delete(context) || Math.abs(apart) <= mostApart) return;
  const minutes = Math.round(Math.abs(apart) / 60_000);
  const where = apart > 0 ? 'behind' : 'ahead of';
  messages.say(
    `warning: The clock of this machine is ${minutes} minutes ${where} the service's, so words such as 'today' may mean another day.`,
  );
}
