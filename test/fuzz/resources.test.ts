/** Every resource survives the conversion to JSON and XML and back. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listContentOf } from '../../src/client/codec/reply.ts';
import { catalogue } from '../../src/operations/index.ts';
import { list, one, type Returns } from '../../src/operations/operation.ts';
import type { Field, Resource } from '../../src/operations/resource.ts';
import { rowJson, rowsJson } from '../../src/sandbox/http/json.ts';
import { writeXml } from '../../src/sandbox/http/xml.ts';
import { tier } from '../support/tier.ts';
import { seed, texts } from './typed.ts';

const numRuns = tier(20, 60);

type Row = Record<string, unknown>;

const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,24})$/);
const kinds: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  text: texts,
  integer: digits,
  decimal: fc.tuple(digits, fc.stringMatching(/^(\.\d{1,20})?$/)).map((parts) => parts.join('')),
  boolean: fc.boolean(),
  time: fc.constantFrom('2026-03-08T03:00:00-07:00', '2025-11-02T01:30:00-08:00'),
};

function valuesOf(field: Field): fc.Arbitrary<unknown> {
  const { kind, resource, nillable, attribute } = field;
  if (kind === 'list') {
    const elements = resource ? rowsOf(resource) : texts.filter((text) => text !== '');
    return fc.array<unknown>(elements, { maxLength: 3 });
  }
  const some = kind === 'object' && resource ? rowsOf(resource) : (kinds[kind] ?? texts);
  return nillable && !attribute ? fc.option(some) : some;
}

/** At least one field, since an empty row disappears in XML. */
function rowsOf({ fields }: Resource): fc.Arbitrary<Row> {
  const entries = Object.entries(fields);
  if (entries.length === 0) return fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), texts);
  const arbitraries = entries.map(([name, field]) => [name, valuesOf(field)]);
  return fc
    .record<Row>(Object.fromEntries(arbitraries), { requiredKeys: [] })
    .filter((row) => Object.values(row).some((value) => !Array.isArray(value) || value.length > 0));
}

/** XML can't contain control characters and lone surrogates: the service writes U+FFFD. */
function throughXml(text: string): string {
  return text.replaceAll(/(?![\t\n\r\u007f-\u009f])[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '\ufffd');
}

type Through = (text: string) => string;

type Write<T> = (resource: Resource, content: T) => string;

const formats: readonly (readonly [Write<Row>, Write<readonly Row[]>, Through])[] = [
  [
    (...row) => JSON.stringify(rowJson(...row)),
    (...rows) => JSON.stringify(rowsJson(...rows)),
    (text) => text,
  ],
  [
    (resource, row) => writeXml(resource.root ?? resource.element, rowJson(resource, row)),
    (resource, rows) => writeXml(`${resource.element}List`, rowsJson(resource, rows) ?? {}),
    throughXml,
  ],
];

/** The expected row: numbers with their digits, and all lists present. */
function read({ fields }: Resource, row: Row, through: Through): Row {
  const isOpen = Object.keys(fields).length === 0;
  const known = Object.keys(isOpen ? row : fields).filter(
    (name) => fields[name]?.kind === 'list' || row[name] !== undefined,
  );
  return Object.fromEntries(
    known.map((name) => [name, readField(fields[name] ?? {}, row[name], through)]),
  );
}

function readField({ kind, resource }: Partial<Field>, value: unknown, through: Through): unknown {
  const nested = (one: unknown) =>
    resource ? read(resource, one as Row, through) : through(String(one));
  if (kind === 'list') return ((value ?? []) as unknown[]).map(nested);
  if (value === null || typeof value === 'boolean') return value;
  return kind === 'integer' || kind === 'decimal' ? { digits: value } : nested(value);
}

/** The decoded row, with numbers as digits. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if ('isLosslessNumber' in value) return { digits: String(value) };
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}

/** Announced totals are ignored. */
function reply(returns: Returns, body: string): unknown {
  const { rows } = listContentOf({ returns }, { status: 200, headers: {}, body }, 'exact');
  return plain(returns.kind === 'one' ? rows[0] : rows);
}

/** Each resource once, with the first command that returns it. */
const returned = catalogue.flatMap(({ command, returns }) =>
  'resource' in returns ? [{ command, resource: returns.resource }] : [],
);
const resources = new Map(returned.toReversed().map((one) => [one.resource, one]));

test.each([...resources.values()])('$command: keeps any rows unchanged', ({ resource }) => {
  fc.assert(
    fc.property(fc.array(rowsOf(resource), { maxLength: 4 }), (rows) => {
      for (const [write, writeList, through] of formats) {
        const want = rows.map((row) => read(resource, row, through));
        expect(reply(list(resource), writeList(resource, rows))).toEqual(want);
        const [first] = rows;
        if (first) expect(reply(one(resource), write(resource, first))).toEqual(want[0]);
      }
    }),
    { seed, numRuns },
  );
});

/** A document and its rows, always with the wrapper of the service. */
function wrapping(
  inside: Resource,
  resource: Resource,
): fc.Arbitrary<{ bean: Row; rows: Row[] }> | undefined {
  for (const [name, { kind, resource: inner }] of Object.entries(inside.fields)) {
    const below =
      kind === 'list' && inner === resource
        ? fc.array(rowsOf(resource), { maxLength: 3 }).map((rows) => ({ bean: rows, rows }))
        : inner && wrapping(inner, resource);
    if (!below) continue;
    return fc.tuple(rowsOf(inside), below).map(([around, { bean, rows }]) => {
      return { bean: { ...around, [name]: bean }, rows };
    });
  }
  return undefined;
}

const wrapped = catalogue.filter(({ returns }) => 'inside' in returns && returns.inside);

test.each(wrapped)('$command: finds any rows in the wrapper of the service', ({ returns }) => {
  const { inside, resource } = 'inside' in returns ? returns : {};
  const documents = inside && resource && wrapping(inside, resource);
  if (!documents) throw new Error('it wraps no rows');
  fc.assert(
    fc.property(documents, ({ bean, rows }) => {
      for (const [write, , through] of formats) {
        const want = rows.map((row) => read(resource, row, through));
        expect(reply(returns, write(inside, bean))).toEqual(want);
      }
    }),
    { seed, numRuns },
  );
});
