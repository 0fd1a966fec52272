/** Warns if days were computed from the clock of this machine and that differs from the clock of the service. */
import type { Context } from '../runtime/context.ts';
import type { Messages } from '../runtime/messages.ts';

const countsByMachine = new WeakSet<Context>();

/** Returns the time of this machine. `compareClocks` then compares it with the time in the next response. */
export function countByMachine(context: Context): Date {
  countsByMachine.add(context);
  return context.now();
}

/** Milliseconds. */
const largestDifference = 5 * 60_000;

export function compareClocks(context: Context, messages: Messages, service: Date): void {
  const difference = service.getTime() - context.now().getTime();
  if (!countsByMachine.delete(context) || Math.abs(difference) <= largestDifference) return;
  const minutes = Math.round(Math.abs(difference) / 60_000);
  const where = difference > 0 ? 'behind' : 'ahead of';
  messages.say(
    `warning: The clock of this machine is ${minutes} minutes ${where} the service's, so words such as 'today' may mean another day.`,
  );
}
