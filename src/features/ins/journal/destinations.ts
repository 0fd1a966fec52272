/** Where the commands for the journal deliver events: the options, and what was confirmed before. */

import { setTimeout as sleep } from 'node:timers/promises';
import { isLoopback } from '../../../client/http/origin.ts';
import { reasonOf } from '../../../client/workflow-error.ts';
import type { CommandContext } from '../../../shell/context.ts';
import { usage } from '../../../shell/failure.ts';
import { choiceFrom } from '../../../shell/options/values.ts';
import { confirmHost } from '../../../shell/terminal/ask.ts';
import type { RunningCommand } from '../../lists/shell-command.ts';
import { DestinationError } from '../../sync/destination.ts';
import type { LiveCopy } from '../../sync/live.ts';
import { isCompared, orderTypeOf } from '../compare.ts';
import { type Destination, type ForwardForm, receiverAt } from '../deliverer.ts';
import { parseEvent } from '../event-text.ts';
import type { DeliveryKind, Journal } from './journal.ts';
import { eventsOf } from './journal-queries.ts';

export interface DestinationFlags {
  readonly forwardTo?: string;
  readonly forward?: string;
  readonly exec?: string;
  readonly sync?: boolean;
  readonly database?: string;
  readonly yes?: boolean;
}

export interface NamedDestination {
  readonly kind: DeliveryKind;
  /** As in `localhost:3000` or `the command`. */
  readonly label: string;
  readonly destination: Destination;
}

const settings = { url: 'forward-to', form: 'forward', confirmed: 'confirmed' } as const;

/** The destinations that the options name. Asks once for each receiver on another machine. */
export async function destinationsFrom(
  cmd: CommandContext,
  flags: DestinationFlags,
  journal: Journal,
): Promise<readonly NamedDestination[]> {
  const { form, url, command } = typedDestinations(cmd, flags);
  if (!url) return command;
  const isKnown = isLoopback(url.hostname) || journal.setting(settings.confirmed) === url.origin;
  if (!isKnown) {
    const question = `Forward events, with the data of your customers, to ${url.host}?`;
    await confirmHost(cmd, question, url.host, { yes: flags.yes });
    journal.saveSetting(settings.confirmed, url.origin);
  }
  return [{ kind: 'forward', label: url.host, destination: receiverAt(url, form) }, ...command];
}

/** Remembers the receiver of a listener, to which `cb ins resend` sends events by default. */
export function rememberReceiver(journal: Journal, url: URL, form: ForwardForm): void {
  journal.saveSetting(settings.url, url.href);
  journal.saveSetting(settings.form, form);
}

/** Throws a usage failure for an option that is wrong. */
export function typedDestinations(cmd: CommandContext, flags: DestinationFlags) {
  const form = choiceFrom('--forward', flags.forward, ['plain', 'as-received']) ?? 'plain';
  const url =
    flags.forwardTo === undefined ? undefined : receiverFrom('--forward-to', flags.forwardTo);
  if (url && url.protocol !== 'https:' && !isLoopback(url.hostname) && form === 'plain') {
    const hint = 'Use an https URL, or --forward as-received.';
    throw usage('--forward-to would send decrypted events to another machine without TLS.', {
      hint,
    });
  }
  if (flags.forward !== undefined && !url) throw usage('--forward works only with --forward-to.');
  if (flags.database !== undefined && !flags.sync)
    throw usage('--database works only with --sync.');
  return { form, url, command: commandFrom(cmd, flags) };
}

/** Runs `work` with the copy as one more destination, if --sync asks for it. */
export async function withCopyDestination(
  cmd: CommandContext,
  { sync, database }: DestinationFlags,
  journal: Journal,
  work: (destinations: readonly NamedDestination[]) => Promise<void>,
): Promise<void> {
  if (!sync) return work([]);
  const { withLiveCopy } = await import('../../sync/live.ts');
  const now = () => cmd.context.now().getTime();
  return withLiveCopy(cmd, database, async ({ label, readAgo, refresh }) => {
    // A listener without --sync has received them.
    if (readAgo !== undefined) await journal.adopt('sync', now() - readAgo);
    await work([{ kind: 'sync', label, destination: copyAt(refresh, journal, now) }]);
  });
}

/** Milliseconds for which the API may not show what an event announces; then it is left to the next sync. */
const longestLag = 40 * 60_000;

/** Milliseconds until the next attempt while a sync is writing. */
const retryWhileBusy = 30_000;

/** Types after which tickets of the receipt have changed. */
const ticketTypes: readonly unknown[] = ['RFND', 'CGBK', 'INSF', 'CANCEL-REBILL'];

/** Types after which the subscription is another one; a payment only counts in it, and is left to the next sync. */
const subscriptionTypes: readonly unknown[] = [
  ...['CANCEL-REBILL', 'UNCANCEL-REBILL', 'SUBSCRIPTION-CHG'],
];

/** Types that are about no order. */
const withoutOrder: readonly unknown[] = ['ABANDONED_ORDER', 'TEST'];

/** An event has reached the copy when the API shows what it announces. */
function copyAt(
  refresh: LiveCopy['refresh'],
  { database }: Journal,
  now: () => number,
): Destination {
  return async ({ text, receivedAt }) => {
    const { receipt, role, transactionType: type } = parseEvent(text) ?? {};
    if (typeof receipt !== 'string' || withoutOrder.includes(type)) {
      return { isDone: true, text: 'about no order' };
    }
    try {
      const rows = await refresh({
        receipt,
        tickets: ticketTypes.includes(type),
        subscription: subscriptionTypes.includes(type),
      });
      // Of two partial refunds, the API may show only the first one yet.
      const events = eventsOf(database, receipt, String(type));
      const expected = isCompared(orderTypeOf(type))
        ? events.filter((one) => one.role === role).length
        : 0;
      const found = rows.filter(
        (row) =>
          row.receipt === receipt && row.transactionType === orderTypeOf(type) && row.role === role,
      );
      if (rows.length > 0 && found.length >= expected) return { isDone: true, text: 'refreshed' };
      const isFinal = now() - receivedAt > longestLag;
      return { isDone: false, isFinal, text: 'the API does not show it yet' };
    } catch (error) {
      const isBusy = error instanceof DestinationError && error.kind === 'busy';
      const result = { isDone: false, text: reasonOf(error) };
      return isBusy ? { ...result, retryIn: retryWhileBusy } : result;
    }
  };
}

/** Like destinationsFrom, but by default, events go where `cb ins listen` last forwarded them. */
export async function destinationsOfJournal(
  cmd: CommandContext,
  flags: DestinationFlags,
  journal: Journal,
): Promise<readonly NamedDestination[]> {
  if (flags.forwardTo !== undefined || flags.exec !== undefined)
    return destinationsFrom(cmd, flags, journal);
  const forwardTo = journal.setting(settings.url);
  if (forwardTo === undefined) {
    const hint =
      'No listener has forwarded events yet. Use a URL such as http://localhost:3000/ins.';
    throw usage('--forward-to is missing.', { hint });
  }
  const forward = flags.forward ?? journal.setting(settings.form) ?? 'plain';
  return destinationsFrom(cmd, { ...flags, forwardTo, forward }, journal);
}

export function receiverFrom(option: string, typed: string): URL {
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!url || !isHttp || `${url.username}${url.password}${url.hash}` !== '') {
    // Not quoted, because it may contain a password.
    const hint =
      'Use a URL such as http://localhost:3000/ins, without a user, a password or a fragment.';
    throw usage(`${option} is not the URL of a receiver.`, { hint });
  }
  return url;
}

function commandFrom(
  { context }: CommandContext,
  { exec }: DestinationFlags,
): readonly NamedDestination[] {
  if (exec === undefined) return [];
  if (exec.trim() === '') throw usage('--exec must not be empty.');
  const { startShell } = context;
  if (!startShell) throw usage('--exec is not available here.');
  const destination = commandAt((input) => startShell(exec, input));
  return [{ kind: 'exec', label: 'the command', destination }];
}

/** Milliseconds for a command to react to SIGTERM. */
const patience = 2000;

/** The command gets the decrypted JSON on one line of its standard input. */
function commandAt(start: (input: string) => Promise<RunningCommand>): Destination {
  return async ({ text }, signal) => {
    signal.throwIfAborted();
    const command = await start(`${text}\n`);
    const end = async () => {
      command.kill('SIGTERM');
      await Promise.race([command.ended, sleep(patience)]);
      command.kill('SIGKILL');
    };
    signal.addEventListener('abort', end, { once: true });
    const outcome = await command.ended;
    signal.removeEventListener('abort', end);
    signal.throwIfAborted();
    if (outcome.kind === 'not-started') {
      return { isDone: false, text: `the command could not be started (${outcome.reason})` };
    }
    if (outcome.kind === 'killed') {
      return { isDone: false, text: `the command was ended by ${outcome.signal}` };
    }
    return { isDone: outcome.code === 0, text: `exit code ${outcome.code}` };
  };
}
