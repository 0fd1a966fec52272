/** The events of the journal as the inspector page shows them. */
import { stringify } from 'lossless-json';
import { pacificTime } from '../../dates/pacific.ts';
import type { Database } from '../../storage/sqlite.ts';
import { parseEvent } from '../event-text.ts';
import { stateOf } from '../journal/delivery-state.ts';
import {
  deliveriesOf,
  type EventEntry,
  eventContent,
  eventEntry,
  eventPages,
} from '../journal/journal-queries.ts';

/** The most events that the page can ask for, so that reading them does not delay the listener. */
export const mostEvents = 500;

/** Characters. Genuine events are far shorter, and longer ones are not searched for a name. */
const longestText = 50_000;
const longestName = 200;

/** Texts without characters that are invisible or change the direction of writing: they are shown as `\u202e`. */
function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu,
    (sign) =>
      Array.from({ length: sign.length }, (_, index) => escaped(sign.charCodeAt(index))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

/** The newest events, each as a line of the list, the latest first. */
export function eventList(database: Database, limit: number) {
  const entries: EventEntry[] = [];
  for (const page of eventPages(database, {})) {
    entries.push(...page);
    if (entries.length >= limit) break;
  }
  // Rows are never deleted. Counting them would take long in a large journal.
  const total = database.first<{ n: number | null }>('SELECT max(id) AS n FROM event')?.n ?? 0;
  return { total, events: entries.slice(0, limit).map((entry) => lineOf(database, entry)) };
}

/** An event with its JSON and its deliveries; undefined if there is none with this ID. */
export function eventDetail(database: Database, id: number) {
  const entry = eventEntry(database, id);
  const content = eventContent(database, id);
  if (!entry || !content) return undefined;
  const deliveries = deliveriesOf(database, id).map(
    ({ kind, state, attempts, result, lastAt, dueAt }) => ({
      to: kind === 'exec' ? 'command' : 'receiver',
      state: {
        pending: attempts > 0 ? 'retrying' : 'waiting',
        done: 'delivered',
        failed: 'failed',
      }[state],
      attempts,
      result: result === null ? null : visible(result),
      lastAttempt: lastAt === null ? null : timeOf(lastAt),
      nextAttempt: state === 'pending' ? timeOf(dueAt) : null,
    }),
  );
  return { ...lineOf(database, entry), deliveries, json: jsonOf(content.text) };
}

function lineOf(database: Database, entry: EventEntry) {
  const { id, receivedAt, type, receipt, amount, currency, copies } = entry;
  return {
    id,
    receivedAt: timeOf(receivedAt),
    type: visible(type),
    receipt: visible(receipt),
    amount: visible([amount, currency].filter((part) => part !== null).join(' ')),
    customer: visible(customerOf(database, id)),
    state: stateOf(deliveriesOf(database, id)),
    copies,
    isReconstructed: entry.isReconstructed === 1,
  };
}

function timeOf(milliseconds: number): string {
  return pacificTime(Math.floor(milliseconds / 1000));
}

/** Numbers keep their digits, as in `1.00`. */
function jsonOf(text: string): string {
  const exact = parseEvent(text);
  const json = exact === undefined ? text : (stringify(exact, undefined, 2) ?? text);
  return json.split('\n').map(visible).join('\n');
}

/** The name or, if there is none, the email address; of the billing address first. */
function customerOf(database: Database, id: number): string {
  const row = database.first<{ text: string }>(
    'SELECT text FROM event WHERE id = ? AND length(text) <= ?',
    [id, longestText],
  );
  const { customer } = (row && (readObject(row.text) as Event)) ?? {};
  for (const contact of [customer?.billing, customer?.shipping]) {
    const { fullName, firstName, lastName, email } = contact ?? {};
    const name = fullName || [firstName, lastName].filter(Boolean).join(' ') || email;
    if (typeof name === 'string' && name !== '')
      return Array.from(name).slice(0, longestName).join('');
  }
  return '';
}

interface Contact {
  readonly [field: string]: unknown;
}

interface Event {
  readonly customer?: {
    readonly billing?: Contact | null;
    readonly shipping?: Contact | null;
  } | null;
}

function readObject(text: string): object {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
