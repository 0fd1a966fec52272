/** `cb ins trigger`: makes one notification, and prints it or sends it to a receiver. */

import { type ExactObject, eventText } from '../../ins/event-text.ts';
import { type EventType, eventTypeNames, isEventType } from '../../ins/event-types.ts';
import { type Delivery, deliver, isLocal } from '../../ins/listener/deliverer.ts';
import { encryptNotification } from '../../ins/notification.ts';
import { PathError, pathsOf, withField, withoutField } from '../../ins/samples/edit-event.ts';
import { eventOf, type OrderRow } from '../../ins/samples/sample-event.ts';
import { type EventVersion, eventVersions } from '../../operations/notification-versions.ts';
import { orders } from '../../operations/orders.ts';
import { writeTo } from '../display/sink.ts';
import { nearest } from '../flags/nearest.ts';
import { problemWith } from '../flags/values.ts';
import { confirmHost } from '../prompts/ask.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { exitCodes } from '../runtime/exit-codes.ts';
import { Failure, usage } from '../runtime/failure.ts';
import { todayOf } from '../session/service-clock.ts';
import { withApi } from '../session/session.ts';
import { type KnownSecret, secretNamed } from './secret-commands.ts';

export interface TriggerFlags {
  readonly receipt?: string;
  readonly set?: readonly string[];
  readonly remove?: readonly string[];
  readonly eventVersion?: string;
  readonly fromOrder?: string;
  readonly to?: string;
  readonly secretName?: string;
  readonly plain?: boolean;
  readonly yes?: boolean;
}

export async function trigger(
  cmd: CommandContext,
  flags: TriggerFlags,
  typed: string,
): Promise<void> {
  const type = typeFrom(typed);
  const version = versionFrom(flags);
  const to = flags.to === undefined ? undefined : receiverFrom(flags.to);
  if (to && flags.plain) {
    throw usage('--plain and --to were both given.', {
      hint: 'A receiver gets the notification encrypted. Use one or the other.',
    });
  }
  const from = flags.fromOrder === undefined ? undefined : await orderRows(cmd, flags.fromOrder);
  const { receipt } = flags;
  const event = edited(eventOf(type, { version, receipt, now: cmd.context.now(), from }), flags);
  const secret = flags.plain ? undefined : await secretNamed(cmd, flags.secretName);
  if (to && !isLocal(to) && !flags.yes)
    await confirmHost(cmd, `Send a sample ${type} notification to ${to.host}?`, to.host);
  const text = secret ? encryptNotification(event, secret.secret) : eventText(event);
  if (to) await send(cmd, to, text, { type, event, secret });
  else await writeTo(cmd.context, undefined, (sink) => sink.write(`${text}\n`));
}

const typesByWord: Readonly<Record<string, EventType>> = {
  REBILL: 'BILL',
  REFUND: 'RFND',
  CHARGEBACK: 'CGBK',
  CANCEL: 'CANCEL-REBILL',
  REINSTATE: 'UNCANCEL-REBILL',
};

/** Types are accepted in any case, with `_` for `-`, and by some words. */
function typeFrom(typed: string): EventType {
  const plain = (text: string) => text.toUpperCase().replaceAll('_', '-');
  const asked = typesByWord[plain(typed)] ?? plain(typed);
  const found = eventTypeNames.find((name) => plain(name) === plain(asked));
  if (found && isEventType(found)) return found;
  const near = nearest(typed, eventTypeNames);
  throw usage(`Unknown type of notification '${typed}'.`, {
    hint: near ? `Did you mean ${near}?` : `Use one of ${eventTypeNames.join(', ')}.`,
  });
}

function versionFrom({ eventVersion = '8' }: TriggerFlags): EventVersion {
  const found = eventVersions.find((version) => String(version) === eventVersion);
  if (found) return found;
  throw usage(`Invalid --event-version '${eventVersion}'.`, { hint: 'Use 6, 7 or 8.' });
}

function receiverFrom(typed: string): URL {
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!url || !isHttp || url.username !== '' || url.password !== '') {
    // Not quoted, because it may contain a password.
    throw usage('--to is not the URL of a receiver.', {
      hint: 'Use a URL such as http://localhost:3000/ins, without a user or a password.',
    });
  }
  return url;
}

async function orderRows(cmd: CommandContext, receipt: string): Promise<readonly OrderRow[]> {
  if (problemWith(orders.get.params.receipt, receipt, await todayOf(cmd, 'machine')))
    throw usage(`Invalid --from-order '${receipt}'.`, { hint: 'Use the receipt of an order.' });
  const rows = await withApi(cmd, {}, (client) => client.call(orders.get, { receipt }));
  if (rows.length > 0) return rows;
  throw new Failure(exitCodes.refused, `There is no order with the receipt ${receipt}.`, {
    next: `cb find ${receipt}`,
  });
}

function edited(event: ExactObject, { set = [], remove = [] }: TriggerFlags): ExactObject {
  const changed = set.reduce((before, pair) => {
    const at = pair.indexOf('=');
    if (at < 1) throw usage(`Invalid --set '${pair}'.`, { hint: 'Use field=value.' });
    return edit('--set', before, pair.slice(0, at), (path) =>
      withField(before, path, pair.slice(at + 1)),
    );
  }, event);
  return remove.reduce(
    (before, path) => edit('--remove', before, path, () => withoutField(before, path)),
    changed,
  );
}

function edit(
  option: string,
  event: ExactObject,
  path: string,
  change: (path: string) => ExactObject,
): ExactObject {
  try {
    return change(path);
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    const near = nearest(path, pathsOf(event));
    throw usage(`${option}: ${error.message}`, {
      hint:
        near && near !== path
          ? `Did you mean ${near}?`
          : 'Use a path such as customer.billing.email.',
    });
  }
}

interface Sent {
  readonly type: EventType;
  readonly event: ExactObject;
  readonly secret: KnownSecret | undefined;
}

async function send(
  { context, messages }: CommandContext,
  to: URL,
  body: string,
  { type, event, secret }: Sent,
): Promise<void> {
  const { status, milliseconds }: Delivery = await deliver(to, body, context.signal).catch(
    (error: Error) => {
      throw new Failure(exitCodes.network, `No response from ${to.host}: ${error.message}.`, {
        hint: 'Check that the receiver is running and that --to has its port and path.',
        cause: error,
      });
    },
  );
  const what = `${type} ${String(event.receipt ?? '')}`.trimEnd();
  const answer = `The receiver answered ${status} in ${milliseconds} ms`;
  if (status >= 200 && status < 300) {
    messages.say(`Sent ${what}. ${answer}.`);
    return;
  }
  throw new Failure(exitCodes.no, `${answer}, so ClickBank would send ${what} again.`, {
    hint: `Any 2xx within 3 seconds counts as received. The secret was '${secret?.name}'.`,
    status,
  });
}
