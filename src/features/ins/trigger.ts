/** `cb ins trigger`: makes one notification, and prints it or sends it to a receiver. */

import { LosslessNumber, parse } from 'lossless-json';
import { isLoopback } from '../../client/http/origin.ts';
import type { EventVersion } from '../../operations/notification-versions.ts';
import { orders } from '../../operations/orders.ts';
import type { CommandContext } from '../../shell/context.ts';
import { writeTo } from '../../shell/display/sink.ts';
import { exitCodes, Failure, usage } from '../../shell/failure.ts';
import { wholeNumber } from '../../shell/options/flags.ts';
import { suggest } from '../../shell/options/nearest.ts';
import { problemWith, receiptFrom } from '../../shell/options/values.ts';
import { todayOf, withApi } from '../../shell/session/session.ts';
import { confirmHost } from '../../shell/terminal/ask.ts';
import { post } from './deliverer.ts';
import {
  type ExactObject,
  eventShape,
  eventText,
  isListKind,
  isPlainObject,
  isShape,
  jsonNumber,
  type Kind,
} from './event-text.ts';
import { type EventType, eventTypeNames } from './event-types.ts';
import { receiverFrom } from './journal/destinations.ts';
import { eventTypeOf } from './journal/event-rows.ts';
import { encryptNotification } from './notification.ts';
import { eventOf, type OrderRow } from './sample-event.ts';
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

export async function trigger(cmd: CommandContext, flags: TriggerFlags, typed: string) {
  const type = typeFrom(typed);
  const version = wholeNumber('--event-version', flags.eventVersion ?? '8', 6, 8) as EventVersion;
  const to = flags.to === undefined ? undefined : receiverFrom('--to', flags.to);
  const encrypted = to ? '--to' : flags.secretName && '--secret-name';
  if (flags.plain && encrypted) {
    throw usage(`--plain and ${encrypted} were both given.`, {
      hint: 'A receiver gets the notification encrypted. Use one or the other.',
    });
  }
  const order = flags.fromOrder && receiptFrom(flags.fromOrder);
  const from = order === undefined ? undefined : await orderRows(cmd, order);
  const { receipt } = flags;
  const event = eventOf(type, { version, receipt, now: cmd.context.now(), from });
  edit(event, flags);
  const secret = flags.plain ? undefined : await secretNamed(cmd, flags.secretName);
  if (to && !isLoopback(to.hostname) && !flags.yes)
    await confirmHost(cmd, `Send a sample ${type} notification to ${to.host}?`, to.host);
  const text = secret ? encryptNotification(event, secret.secret) : eventText(event);
  if (to) await send(cmd, to, text, `${type} ${String(event.receipt ?? '')}`.trimEnd(), secret);
  else await writeTo(cmd.context, undefined, (sink) => sink.write(`${text}\n`));
}

function typeFrom(typed: string): EventType {
  const found = eventTypeOf(typed);
  if (found) return found;
  const hint = suggest(typed, eventTypeNames, `Use one of ${eventTypeNames.join(', ')}.`);
  throw usage(`Unknown type of notification '${typed}'.`, { hint });
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

/** Milliseconds that the service gives a receiver. */
const deliveryTime = 3000;

async function send(
  { context, messages }: CommandContext,
  to: URL,
  body: string,
  what: string,
  secret: KnownSecret | undefined,
): Promise<void> {
  const begin = performance.now();
  const { status, ok } = await post(to, body, context.signal, deliveryTime).catch(
    (error: Error) => {
      throw new Failure(exitCodes.network, `No response from ${to.host}: ${error.message}.`, {
        hint: 'Check that the receiver is running and that --to has its port and path.',
        cause: error,
      });
    },
  );
  const milliseconds = Math.round(performance.now() - begin);
  const answer = `The receiver answered ${status} in ${milliseconds} ms`;
  if (ok) {
    messages.say(`Sent ${what}. ${answer}.`);
    return;
  }
  throw new Failure(exitCodes.no, `${answer}, so ClickBank would send ${what} again.`, {
    hint: `Any 2xx within 3 seconds counts as received. The secret was '${secret?.name}'.`,
    status,
  });
}

/** Changes the event, which nothing else uses yet. */
function edit(event: ExactObject, { set = [], remove = [] }: TriggerFlags): void {
  for (const pair of set) {
    const at = pair.indexOf('=');
    if (at < 1) throw usage(`Invalid --set '${pair}'.`, { hint: 'Use field=value.' });
    editField(event, pair.slice(0, at), pair.slice(at + 1));
  }
  for (const path of remove) editField(event, path);
}

/** Sets a field to a value, or removes it if there is none. */
function editField(event: ExactObject, path: string, text?: string): void {
  const refuse = (why: string) => {
    const hint = 'Use a path such as customer.billing.email. --plain shows the fields.';
    return usage(`${text === undefined ? '--remove' : '--set'}: ${why}`, { hint });
  };
  const steps = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  if (steps.includes('')) throw refuse(`'${path}' is not a path of a field.`);
  let value: unknown = event;
  let kind: Kind | undefined = eventShape;
  for (const [index, step] of steps.entries()) {
    const list: unknown[] | undefined = Array.isArray(value) ? value : undefined;
    const isIndex = /^\d+$/.test(step) && Number(step) <= (list?.length ?? 0);
    if (list ? !isIndex : !isPlainObject(value)) {
      const range = list && `a list of ${list.length}; use an index from 0`;
      throw refuse(`'${path}' goes through ${range ?? 'a field that is not an object'}.`);
    }
    const fields = value as Record<string, unknown>;
    const name = list ? String(Number(step)) : step;
    const hasField = Object.hasOwn(fields, name);
    if (!hasField && text === undefined) throw refuse(`The event has no field '${path}'.`);
    if (list) kind = isListKind(kind) ? kind[0] : undefined;
    else kind = isShape(kind) && Object.hasOwn(kind, step) ? kind[step] : undefined;
    if (index < steps.length - 1) {
      if (!hasField) fields[name] = {};
      value = fields[name];
    } else if (text !== undefined) fields[name] = readValue(text, path, kind, refuse);
    else if (list) list.splice(Number(step), 1);
    else delete fields[step];
  }
}

/** A number or a boolean where the field is one, an object or a list from JSON; any other field gets the text. */
function readValue(
  text: string,
  path: string,
  kind: Kind | undefined,
  refuse: (why: string) => Error,
): unknown {
  const isNumber = kind === 'decimal' || kind === 'integer';
  if (isNumber && jsonNumber.test(text)) return new LosslessNumber(text);
  if (kind === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true';
  if (kind !== 'free' && !isListKind(kind) && !isShape(kind)) return text;
  try {
    const value = parse(text);
    if (isListKind(kind) ? Array.isArray(value) : isPlainObject(value)) return value;
  } catch {
    // Reported below.
  }
  throw refuse(`'${path}' takes ${isListKind(kind) ? 'a list' : 'an object'} as JSON.`);
}
