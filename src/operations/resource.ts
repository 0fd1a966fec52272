/** The types of responses. Fields have the order of the columns, which files of users have; ClickBank may send another. */
import type { Decimal } from './decimal.ts';

/** What a value identifies. Completion offers such values again where the same kind is typed. */
export type Named = 'receipt' | 'ticket' | 'sku' | 'account' | 'image';

export type FieldKind =
  | 'text'
  | 'integer'
  | 'decimal'
  | 'boolean'
  | 'time'
  | 'day'
  | 'month'
  | 'object'
  | 'list';

/** One field. `Value` is its type in a decoded row; every field can also be null or absent. */
export interface Field<Value = unknown> {
  readonly kind: FieldKind;
  /** The service's schema allows nil. A field that does not allow it is left out if it is not set. */
  readonly nillable: boolean;
  /** The service's schema requires it. */
  readonly required?: boolean;
  /** The shape of an object, or of each element of a list. */
  readonly resource?: Resource;
  /** An XML attribute: `@name` in JSON. */
  readonly attribute?: boolean;
  /** Each number names its own type, `xs:long` or `xs:decimal`: `{"@type":"xs:long","$":"31"}`. */
  readonly typed?: boolean;
  /** Names in an object of texts that the service sets itself. Other names, with any values, can occur. */
  readonly pairs?: readonly string[];
  /** Values seen so far; others are accepted, because the set keeps growing. */
  readonly values?: readonly string[];
  readonly names?: Named;
  /** A rate or an average: no sum has it. */
  readonly isRatio?: boolean;
  /** Usual maximum length of a value, in characters. */
  readonly room?: number;
  /** The column heading, if the name is longer than the values. */
  readonly heading?: string;
  /** The name of the field in another form of the response. */
  readonly alias?: string;
  /** The correct spelling of a name that the service misspells: headers of csv and tsv use it, and options accept both. */
  readonly spelling?: string;
  /** Used only by the compiler, never set. */
  readonly is?: Value;
}

export type Fields = Readonly<Record<string, Field>>;

/** A resource: what the service returns under one element name. */
export interface Resource<F extends Fields = Fields> {
  readonly element: string;
  /** The name of the element if it is the root of a document and not part of another element. */
  readonly root?: string;
  /** The order of the fields in responses, if it is not the order of the columns. */
  readonly order?: readonly string[];
  /** Its schema declares only the type: it never occurs by itself. */
  readonly typeOnly?: boolean;
  /** The most important fields, the most informative first. */
  readonly headline: readonly string[];
  readonly fields: F;
  readonly counted?: Counted;
}

/** The name of a row, in the singular, and the fields with its amount and the currency of that amount. */
export interface Counted {
  readonly noun: string;
  readonly amount?: string;
  readonly currency?: string;
}

/** A decoded row: null where the service sent nil, undefined where it sent nothing. */
export type Row<T> =
  T extends Resource<infer F>
    ? { readonly [K in keyof F]?: (F[K] extends Field<infer Value> ? Value : never) | null }
    : never;

/** The fields in the order in which the service sends them. */
export function sentFields({ fields, order }: Resource): readonly (readonly [string, Field])[] {
  const all = Object.entries(fields);
  return order ? all.toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other)) : all;
}

/** Several fields of one kind, in this order. */
export function alike<Value, const N extends string>(
  field: Field<Value>,
  ...names: readonly N[]
): Readonly<Record<N, Field<Value>>> {
  return Object.fromEntries(names.map((name) => [name, field])) as Record<N, Field<Value>>;
}

/** Keeps the exact types of a resource's fields. */
export function resource<const F extends Fields>(
  element: string,
  headline: readonly (keyof F & string)[],
  fields: F,
  { root, order, noun, ...money }: Partial<Counted> & Sent = {},
): Resource<F> {
  const names = order === 'alphabetical' ? Object.keys(fields).sort() : order?.trim().split(/\s+/);
  return {
    ...{ element, headline, fields },
    ...(noun !== undefined && { counted: { noun, ...money } }),
    ...(root && { root }),
    ...(names && { order: names }),
  };
}

/** How the service sends a resource, if it is not as its element and its columns say. */
export interface Sent {
  readonly root?: string;
  /** The names of all fields in order, separated by spaces. */
  readonly order?: 'alphabetical' | (string & {});
}

export const text: Field<string> = { kind: 'text', nillable: false };
/** A Decimal beyond the safe range. */
export const integer: Field<number | Decimal> = { kind: 'integer', nillable: false };
/** A decimal number, mostly an amount of money in the row's own currency. */
export const decimal: Field<Decimal> = { kind: 'decimal', nillable: false };
export const ratio: Field<Decimal> = { ...decimal, isRatio: true };
export const boolean: Field<boolean> = { kind: 'boolean', nillable: false };
/** ISO 8601 with offset, in Pacific wall time: `2026-02-18T15:11:38-08:00`. */
export const time: Field<string> = { kind: 'time', nillable: false };
/** A time that stands for its whole day. */
export const day: Field<string> = { kind: 'day', nillable: false };
/** The first day of a month, which stands for the month. */
export const month: Field<string> = { kind: 'month', nillable: false };

export const texts: Field<string[]> = { kind: 'list', nillable: false };

/** The words of a text that are separated by spaces. */
export type Words<Text extends string> = Text extends `${infer Word} ${infer Rest}`
  ? Word | Words<Rest>
  : Text;

export function words<const Text extends string>(text: Text): readonly Words<Text>[] {
  return text.split(' ') as Words<Text>[];
}

/** A text from a set that may grow. Editors complete the known values, which are separated by spaces. */
export function oneOf<const V extends string>(
  ...values: readonly V[]
): Field<Words<V> | (string & NonNullable<unknown>)> {
  return { kind: 'text', nillable: false, values: words(values.join(' ')) };
}

export function object<const T extends Resource>(resource: T): Field<Row<T>> {
  return { kind: 'object', nillable: false, resource };
}

type Pairs<N extends string> = { readonly [K in N]?: string | null } & {
  readonly [name: string]: unknown;
};

/** An object of texts, most of whose names, separated by spaces, other people choose. */
export function pairs<const N extends string>(
  resource: Resource,
  names: N,
): Field<Pairs<Words<N>>> {
  return { kind: 'object', nillable: false, resource, pairs: words(names) };
}

/** A list: repeated elements of the field's name. */
export function many<const T extends Resource>(resource: T): Field<Row<T>[]> {
  return { kind: 'list', nillable: false, resource };
}

function adding(facts: Partial<Field>) {
  return <Value>(field: Field<Value>): Field<Value> => ({ ...field, ...facts }) as Field<Value>;
}

export const attribute = adding({ attribute: true });
export const typed = adding({ typed: true });
export const nillable = adding({ nillable: true });
export const required = adding({ required: true });

/** A receipt is eight characters, with a suffix like -B002 for a rebill; a nickname is ten at most. */
const rooms: Readonly<Partial<Record<Named, number>>> = { receipt: 13, account: 10 };

/** The same field, with values that identify something of this kind. */
export function naming<Value>(names: Named, field: Field<Value>): Field<Value> {
  const room = rooms[names];
  return { ...field, names, ...(room !== undefined && { room }) };
}

export function headed<Value>(heading: string, field: Field<Value>): Field<Value> {
  return { ...field, heading };
}
