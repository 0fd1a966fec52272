/** `cb ins trigger`: makes one notification, and prints it or sends it to a receiver. */

import { LosslessNumber, parse } from 'lossless-json';
import { eventVersions } from '../../operations/notification-versions.ts';
import { orders } from '../../operations/orders.ts';
import type { CommandContext } from '../../shell/command-context.ts';
import { writeTo } from '../../shell/display/sink.ts';
import { exitCodes } from '../../shell/exit-codes.ts';
import { Failure, usage } from '../../shell/failure.ts';
import { nearest } from '../../shell/options/nearest.ts';
import { problemWith } from '../../shell/options/values.ts';
import { confirmHost } from '../../shell/prompts/ask.ts';
import { todayOf } from '../../shell/session/service-clock.ts';
import { withApi } from '../../shell/session/session.ts';
import { deliver, isLocal } from './deliverer.ts';
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
import { type EventType, eventTypeNames, isEventType } from './event-types.ts';
import { receiverFrom } from './journal/destinations.ts';
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

export async function trigger(
  cmd: CommandContext,
  flags: TriggerFlags,
  typed: string,
): Promise<void> {
  const type = typeFrom(typed);
  const { eventVersion = '8' } = flags;
  const version = eventVersions.find((known) => String(known) === eventVersion);
  if (!version)
    throw usage(`Invalid --event-version '${eventVersion}'.`, { hint: 'Use 6, 7 or 8.' });
  const to = flags.to === undefined ? undefined : receiverFrom('--to', flags.to);
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

async function send(
  { context, messages }: CommandContext,
  to: URL,
  body: string,
  { type, event, secret }: { type: EventType; event: ExactObject; secret: KnownSecret | undefined },
): Promise<void> {
  const { status, milliseconds } = await deliver(to, body, context.signal).catch((error: Error) => {
    throw new Failure(exitCodes.network, `No response from ${to.host}: ${error.message}.`, {
      hint: 'Check that the receiver is running and that --to has its port and path.',
      cause: error,
    });
  });
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

/** A path that can't be used: `message` says why. */
export class PathError extends Error {
  override readonly name = 'PathError';
}

/**
 * Returns the event with a field set. A field that is known as a number or as true or false gets such a value if the
 * text is one; objects and lists are given as JSON; any other field gets the text.
 */
export function withField(event: ExactObject, path: string, text: string): ExactObject {
  const steps = stepsOf(path);
  return changed(event, steps, () => readValue(text, kindAt(steps), path), path) as ExactObject;
}

/** Returns the event without a field. Throws a PathError if it has no such field. */
export function withoutField(event: ExactObject, path: string): ExactObject {
  return changed(event, stepsOf(path), () => undefined, path) as ExactObject;
}

/** The paths of all fields of an event, for suggestions. */
function pathsOf(value: unknown, path = ''): readonly string[] {
  const own = path === '' ? [] : [path];
  if (!Array.isArray(value) && !isPlainObject(value)) return own;
  const below = Object.entries(value).flatMap(([name, field]) =>
    pathsOf(field, path === '' ? name : `${path}.${name}`),
  );
  return [...own, ...below];
}

function stepsOf(path: string): readonly string[] {
  const steps = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  if (steps.some((step) => step === '')) throw new PathError(`'${path}' is not a path of a field.`);
  if (steps.includes('__proto__')) throw new PathError("No field can be named '__proto__'.");
  return steps;
}

function kindAt(steps: readonly string[]): Kind | undefined {
  return steps.reduce<Kind | undefined>((kind, step) => {
    if (isListKind(kind)) return /^\d+$/.test(step) ? kind[0] : undefined;
    return isShape(kind) && Object.hasOwn(kind, step) ? kind[step] : undefined;
  }, eventShape);
}

function readValue(text: string, kind: Kind | undefined, path: string): unknown {
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
  throw new PathError(`'${path}' takes ${isListKind(kind) ? 'a list' : 'an object'} as JSON.`);
}

/** `make` returns the new value of the field; undefined removes it. */
function changed(
  value: unknown,
  [step, ...rest]: readonly string[],
  make: () => unknown,
  path: string,
): unknown {
  if (step === undefined) return make();
  if (Array.isArray(value)) {
    const at = Number(step);
    if (!/^\d+$/.test(step) || at > value.length) {
      throw new PathError(`'${path}' goes through a list of ${value.length}; use an index from 0.`);
    }
    const element = changed(value[at], rest, make, path);
    if (element === undefined && at === value.length) throw missing(path);
    return value.toSpliced(at, 1, ...(element === undefined ? [] : [element]));
  }
  if (value !== undefined && !isPlainObject(value)) {
    throw new PathError(`'${path}' goes through a field that is not an object.`);
  }
  const fields = value ?? {};
  const field = changed(Object.hasOwn(fields, step) ? fields[step] : undefined, rest, make, path);
  if (field === undefined && !Object.hasOwn(fields, step)) {
    throw missing(path);
  }
  const { [step]: _, ...others } = fields;
  return field === undefined ? others : { ...fields, [step]: field };
}

function missing(path: string): PathError {
  return new PathError(`The event has no field '${path}'.`);
}
