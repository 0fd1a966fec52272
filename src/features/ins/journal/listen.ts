/** `cb ins listen`: receives notifications and delivers them, until it is stopped. */

import { EventEmitter, on } from 'node:events';
import { realClock } from '../../../client/clock.ts';
import { reasonOf } from '../../../client/workflow-error.ts';
import { durationText } from '../../../dates/duration.ts';
import type { Row } from '../../../output/rows/rows.ts';
import { numbered } from '../../../output/stream.ts';
import type { CommandContext } from '../../../shell/context.ts';
import { showPages } from '../../../shell/display/show.ts';
import { codeOfSignal, exitCodes, Failure } from '../../../shell/failure.ts';
import { wholeNumber } from '../../../shell/options/flags.ts';
import { type OutputOptions, requireShowable } from '../../../shell/options/show-flags.ts';
import { sqliteCode } from '../../../storage/sqlite.ts';
import { type Deliverer, startDeliverer } from '../deliverer.ts';
import { type Listener, type ListenerOptions, type Received, startListener } from '../listener.ts';
import { knownSecrets } from '../secret-commands.ts';
import {
  type DestinationFlags,
  destinationsFrom,
  type NamedDestination,
  rememberReceiver,
  typedDestinations,
  withCopyDestination,
} from './destinations.ts';
import { amountValue, receivedResource, timeText } from './event-rows.ts';
import { alteredCopy, type Journal } from './journal.ts';
import { eventEntry } from './journal-queries.ts';
import { sparing, withLockedJournal } from './own-journal.ts';

/** Deliveries at a time; commands are processes, and the copy gathers receipts. */
const mostAtOnce = { forward: 16, exec: 4, sync: 200 };

export async function listen(
  cmd: CommandContext,
  flags: DestinationFlags & { readonly port?: string; readonly duplicates?: boolean },
  output: OutputOptions,
): Promise<void> {
  requireShowable(output, receivedResource);
  const port = wholeNumber('--port', flags.port ?? '4242', 0, 65_535);
  const { url, form } = typedDestinations(cmd, flags);
  // Without a secret there is nothing to receive, and no journal to create.
  const secrets = await knownSecrets(cmd);
  await withLockedJournal(cmd, async (journal) => {
    const named = await destinationsFrom(cmd, flags, journal);
    if (url) rememberReceiver(journal, url, form);
    await withCopyDestination(cmd, flags, journal, async (copy) => {
      const destinations = [...named, ...copy];
      const queue = openRowQueue();
      const { signal } = cmd.context;
      // Deliveries of earlier runs continue before the first notification is received.
      const deliverers = destinations.map((to) => delivererTo(cmd, journal, to));
      const duplicates = flags.duplicates ?? false;
      const kinds = destinations.map(({ kind }) => kind);
      let listener: Listener | undefined;
      try {
        listener = await receiveEvents(cmd, {
          port,
          secrets: secrets.map(({ secret }) => secret),
          accept: (event) => journal.accept(event, { kinds, duplicates }),
          onReceived(received) {
            queue.add(rowOf(received));
            for (const deliverer of deliverers) deliverer.wake();
          },
        });
        const names = secrets.map(({ name }) => name).join(', ');
        const to = destinations.map(({ label }) => label).join(' and ');
        const goal = to === '' ? 'Events are only journaled.' : `Events go to ${to}.`;
        cmd.messages.say(
          `Listening on http://127.0.0.1:${listener.port} (secrets: ${names}). ${goal} Press Ctrl-C to stop.`,
        );
        const waiting = kinds.reduce((sum, kind) => sum + journal.pending(kind), 0);
        if (waiting > 0) {
          cmd.messages.say(
            `note: Deliveries of earlier events that are still pending: ${waiting}.`,
          );
        }
        signal.addEventListener('abort', queue.end, { once: true });
        if (signal.aborted) queue.end();
        const pages = numbered(queue.rows());
        await showPages(cmd, output, { resource: receivedResource }, pages, { isLive: true });
      } finally {
        await listener?.close();
        await Promise.all(deliverers.map((one) => one.stop()));
      }
      if (queue.left > 0)
        cmd.messages.say(`note: ${queue.left} events were journaled but not shown.`);
      if (signal.aborted) cmd.endWith(codeOfSignal(signal));
    });
  });
}

function delivererTo(
  cmd: CommandContext,
  journal: Journal,
  { kind, label, destination }: NamedDestination,
): Deliverer {
  const { clock = realClock, now } = cmd.context;
  const warn = sparing(cmd);
  return startDeliverer({
    ...{ journal, kind, destination, clock, most: mostAtOnce[kind] },
    now: () => now().getTime(),
    onAttempt(id, { isDone, text }, retryIn) {
      if (isDone) return;
      const { type = '', receipt = '' } = eventEntry(journal.database, id) ?? {};
      const given =
        kind === 'sync'
          ? 'The next `cb sync` reads it.'
          : `To send it again, run \`cb ins resend ${id}\`.`;
      const next = retryIn === undefined ? given : `Next attempt in ${durationText(retryIn)}.`;
      warn(`warning: Event ${id} (${type} ${receipt}) did not reach ${label}: ${text}. ${next}`);
    },
    onUnrecorded: (error) =>
      warn(`warning: The result of a delivery can't be journaled (${whyOf(error)}).`),
  });
}

function receiveEvents(
  cmd: CommandContext,
  how: Pick<ListenerOptions, 'port' | 'secrets' | 'accept' | 'onReceived'>,
): Promise<Listener> {
  const { clock = realClock, now } = cmd.context;
  const [warnOfRefused, warnOfDisk, warnOfTime] = [sparing(cmd), sparing(cmd), sparing(cmd)];
  return startListener({
    ...{ ...how, clock, now: () => now().getTime() },
    onReceived(received) {
      const { id, isDuplicate, event } = received;
      how.onReceived(received);
      if (event.eventTime === '' && !isDuplicate) {
        warnOfTime(
          `warning: Event ${id} (${event.type} ${event.receipt}) has no readable transactionTime. ${alteredCopy}`,
        );
      }
    },
    onRefused: (reason) => warnOfRefused(`warning: A request was refused. ${reason}`),
    onNotJournaled: (error) =>
      warnOfDisk(
        `warning: A notification can't be journaled (${whyOf(error)}). ClickBank is told to send it again.`,
      ),
  }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EADDRINUSE' && cause.code !== 'EACCES') throw cause;
    const why = cause.code === 'EACCES' ? 'may not be used by this user' : 'is already in use';
    const hint = 'Choose another port with --port.';
    throw new Failure(exitCodes.network, `Port ${how.port} ${why}.`, { cause, hint });
  });
}

function rowOf({ id, isDuplicate, event, exact }: Received): Row {
  const { receivedAt, type, receipt, amount, currency, vendor } = event;
  return {
    ...{ id, receivedAt: timeText(receivedAt), type, receipt, amount: amountValue(amount) },
    ...{ currency, vendor, isDuplicate, event: exact as Row },
  };
}

function whyOf(error: unknown): string {
  return sqliteCode(error) || reasonOf(error);
}

/** A reader that stops must not fill the memory. */
const mostWaiting = 1000;

function openRowQueue() {
  const emitter = new EventEmitter();
  const added = on(emitter, 'row', { close: ['end'] });
  let waiting = 0;
  const queue = {
    /** Rows that were not shown: the reader of the output is too slow, or the output has ended. */
    left: 0,
    add(row: Row) {
      if (waiting < mostWaiting && emitter.emit('row', row)) waiting += 1;
      else queue.left += 1;
    },
    /** Ends the rows after the rows that were added. */
    end: () => void emitter.emit('end'),
    /** One by one. */
    async *rows(): AsyncGenerator<readonly Row[]> {
      for await (const rows of added) {
        waiting -= 1;
        yield rows;
      }
    },
  };
  return queue;
}
