/** The JSON of an event: from the text that was decrypted to a typed event, and back. */
import { isLosslessNumber, LosslessNumber, stringify } from 'lossless-json';
import { parseJson } from '../../client/codec/wire-json.ts';
import type { NotificationEvent } from './event.ts';
import { eventShape, isListKind, isShape, type Kind } from './event-shape.ts';

/** Numbers that a double would not reproduce as written are LosslessNumber objects of lossless-json. */
export type ExactObject = { readonly [field: string]: unknown };

/** Maximum nesting depth of an event. */
const deepest = 100;

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Returns undefined if the text is not a JSON object, or is nested too deeply. */
export function parseEvent(text: string): ExactObject | undefined {
  // Some programs pad with zero bytes and leave them at the end.
  const document = text.replace(/[\0-\x20]+$/, '');
  try {
    const json = parseJson(document);
    return isPlainObject(json) && !isTooDeep(json) ? json : undefined;
  } catch {
    // The message of the parser would quote the event.
    return undefined;
  }
}

/** Types the known fields and keeps the others: an unknown number that a double would change becomes a text. */
export function typedEvent(exact: ExactObject): NotificationEvent {
  return typed(exact, eventShape) as NotificationEvent;
}

/** The JSON of an event; decimals that are texts of digits become numbers with these digits. */
export function eventText(event: object): string {
  return stringify(exactly(event, eventShape)) ?? '';
}

function typed(value: unknown, kind: Kind | undefined): unknown {
  if (Array.isArray(value) || isListKind(kind)) {
    const element = isListKind(kind) ? kind[0] : undefined;
    return (Array.isArray(value) ? value : [value]).map((one) => typed(one, element));
  }
  if (isPlainObject(value)) {
    return mapFields(value, (field, name) => typed(field, isShape(kind) ? kind[name] : undefined));
  }
  const isNumber = typeof value === 'number' || isLosslessNumber(value);
  const text = isNumber ? String(value) : value;
  if (typeof text !== 'string') return value;
  if (kind === 'text' || kind === 'decimal') return text;
  if (kind === 'boolean') return text === 'true' || (text === 'false' ? false : text);
  return isNumber || kind === 'integer' ? integerOr(text, kind) : text;
}

/** `6.0` is an integer where one is expected. An unknown number keeps its digits, if need be as a text. */
function integerOr(text: string, kind: Kind | undefined): number | string {
  const digits = kind === 'integer' ? text.replace(/\.0+$/, '') : text;
  const number = Number(digits);
  return jsonNumber.test(digits) && String(number) === digits ? number : text;
}

function exactly(value: unknown, kind: Kind | undefined): unknown {
  if (Array.isArray(value)) {
    return value.map((one) => exactly(one, isListKind(kind) ? kind[0] : undefined));
  }
  if (isPlainObject(value)) {
    return mapFields(value, (field, name) =>
      exactly(field, isShape(kind) ? kind[name] : undefined),
    );
  }
  const isDigits = kind === 'decimal' && typeof value === 'string' && jsonNumber.test(value);
  return isDigits ? new LosslessNumber(value) : value;
}

/** Leaves out null, which stands for a missing field, and `__proto__`, which no object may have. */
function mapFields(object: ExactObject, map: (value: unknown, name: string) => unknown) {
  const fields = Object.entries(object)
    .filter(([name, value]) => name !== '__proto__' && value !== null && value !== undefined)
    .map(([name, value]) => [name, map(value, name)] as const);
  return Object.fromEntries(fields);
}

function isTooDeep(value: unknown, depth = 0): boolean {
  if (depth > deepest) return true;
  if (!Array.isArray(value) && !isPlainObject(value)) return false;
  return Object.values(value).some((below) => isTooDeep(below, depth + 1));
}

export function isPlainObject(value: unknown): value is ExactObject {
  if (typeof value !== 'object' || value === null) return false;
  return !Array.isArray(value) && !isLosslessNumber(value);
}
