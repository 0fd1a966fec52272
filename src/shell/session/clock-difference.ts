/** The clock of the service, as its responses show it, and a warning if days were computed from another clock. */
import type { Context, Messages } from '../context.ts';

/** Milliseconds that the service is ahead of this machine, by its responses. */
const ahead = new WeakMap<Context, number>();

/** The time at the service by its responses; before the first one, the time of this machine. */
export function serviceNow(context: Context): Date {
  return new Date(context.now().getTime() + (ahead.get(context) ?? 0));
}

const countsByMachine = new WeakSet<Context>();

/** Returns the time of this machine. `keepServiceTime` then compares it with the time in the next response. */
export function countByMachine(context: Context): Date {
  countsByMachine.add(context);
  return context.now();
}

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
export function keepServiceTime(context: Context, service: Date, messages?: Messages): void {
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
