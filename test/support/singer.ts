/** Reads Singer messages, and checks records against their schemas. */

type Types = readonly string[] | string;

interface Schema {
  readonly properties: Readonly<Record<string, { readonly type: Types; readonly format?: string }>>;
}

export type Message =
  | {
      readonly type: 'SCHEMA';
      readonly stream: string;
      readonly schema: Schema;
      readonly key_properties: readonly string[];
    }
  | {
      readonly type: 'RECORD';
      readonly stream: string;
      readonly record: Readonly<Record<string, unknown>>;
    }
  | { readonly type: 'STATE'; readonly value: object };

export function messagesIn(text: string): Message[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** What does not fit the schema: unknown and missing properties, other types, other formats. */
export function conforms(message: Message, schema: Message | undefined): string[] {
  if (message.type !== 'RECORD') return [];
  if (schema?.type !== 'SCHEMA') return ['there is no schema'];
  const { properties } = schema.schema;
  const names = new Set([...Object.keys(properties), ...Object.keys(message.record)]);
  return [...names].flatMap((name) => {
    const property = properties[name];
    const value = message.record[name];
    if (!property || value === undefined) return [`${name} is in only one of them`];
    if (![property.type].flat().includes(typeOf(value, property.type))) {
      return [`${name} is ${JSON.stringify(value)}`];
    }
    const form = formats[property.format ?? ''];
    return value === null || !form || form.test(String(value)) ? [] : [`${name} is ${value}`];
  });
}

const formats: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/,
};

function typeOf(value: unknown, allowed: Types): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value !== 'number') return typeof value;
  return Number.isInteger(value) && allowed.includes('integer') ? 'integer' : 'number';
}

/** The records that a target has in the end: the last one of each key, without the time of reading. */
export function recordsByKey(messages: readonly Message[]) {
  const keys = new Map<string, readonly string[]>();
  const found = new Map<string, Extract<Message, { type: 'RECORD' }>>();
  for (const message of messages) {
    if (message.type === 'SCHEMA') keys.set(message.stream, message.key_properties);
    if (message.type !== 'RECORD') continue;
    const { synced_at: _, ...record } = message.record;
    const key = keys.get(message.stream)?.map((name) => record[name]);
    found.set(JSON.stringify([message.stream, key]), { ...message, record });
  }
  return found;
}
