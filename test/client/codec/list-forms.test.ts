/** Every list of the catalogue, in every form that ClickBank may send now or in the future. */
import { describe, expect, test } from 'vitest';
import { listContentOf, replyOf } from '../../../src/client/codec/reply.ts';
import { catalogue } from '../../../src/operations/index.ts';
import type { Operation } from '../../../src/operations/operation.ts';
import type { Field, Resource } from '../../../src/operations/resource.ts';
import type { Json } from '../../../src/sandbox/http/json.ts';
import { writeXml } from '../../../src/sandbox/http/xml.ts';

type Sent = Readonly<Record<string, Json>>;

const lists = catalogue.flatMap(({ returns, ...operation }) =>
  returns.kind === 'list' || returns.kind === 'pages'
    ? [{ name: `${operation.method} ${operation.path}`, operation: { ...operation, returns } }]
    : [],
);

const values: Readonly<Record<string, string>> = {
  integer: '7',
  decimal: '11.90',
  boolean: 'true',
  time: '2026-02-18T15:11:38-08:00',
  day: '2026-02-18T00:00:00-08:00',
};

/** A row with a value in every field; two elements in every list. */
function rowOf({ fields }: Resource, mark: string): Sent {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      field.attribute ? `@${name}` : name,
      sampleOf(field, mark),
    ]),
  );
}

function sampleOf({ kind, resource }: Field, mark: string): Json {
  const one = resource ? rowOf(resource, mark) : (values[kind] ?? mark);
  return kind === 'list' ? [one, one] : one;
}

/** Wraps `rows` in the known wrapper of the list, with a total if it has one. */
function wrapped(inside: Resource, row: Resource, rows: Json): Sent {
  return Object.fromEntries(
    Object.entries(inside.fields).flatMap(([name, { kind, resource }]) => {
      if (resource === row) return [[name, rows]];
      if (kind === 'integer') return [[name, Array.isArray(rows) ? String(rows.length) : '0']];
      return resource?.fields.row?.resource === row || resource?.fields.product?.resource === row
        ? [[name, wrapped(resource, row, rows)]]
        : [];
    }),
  );
}

function read(operation: Pick<Operation, 'method' | 'returns'>, text: string, status = 200) {
  return listContentOf(operation, { status, headers: {}, body: text }).rows;
}

describe.each(lists)('$name', ({ operation }) => {
  const { resource, ...facts } = operation.returns;
  const { element } = resource;
  const inside: Resource | undefined = 'inside' in facts ? facts.inside : undefined;
  const [one, two] = [rowOf(resource, 'A1'), rowOf(resource, 'B2')];
  const rows = [one, two];

  const json = {
    'named like the element': { [element]: rows },
    'in a wrapper around that': { result: { [element]: rows } },
    'as a bare array': rows,
    'in an unknown wrapper with empty neighbors': { found: rows, next: null, message: '' },
    'in two unknown wrappers': { reply: { found: rows }, errors: [], status: 'ok' },
    ...(inside && { 'in the known wrapper': wrapped(inside, resource, rows) }),
  };

  const expected = read(operation, JSON.stringify({ [element]: rows }));

  test('decodes every field of its rows', () => {
    expect(expected).toHaveLength(2);
    const [first] = expected;
    expect(Object.keys(first ?? {})).toEqual(Object.keys(resource.fields));
  });

  test.each(Object.entries(json))('reads rows %s', (_, body) => {
    expect(read(operation, JSON.stringify(body))).toEqual(expected);
  });

  const single = {
    'named like the element': { [element]: one },
    bare: one,
    'in an unknown wrapper': { found: one, next: null, message: '' },
    ...(inside && { 'in the known wrapper': wrapped(inside, resource, one) }),
  };

  test.each(Object.entries(single))('reads a single row that is not an array, %s', (_, body) => {
    expect(read(operation, JSON.stringify(body).replace('"0"', '"1"'))).toEqual([expected[0]]);
  });

  test.each<readonly [how: string, sent: Sent]>([
    ['below an unknown root', { [element]: rows }],
    ['below a root with neighbors', { next: '', [element]: rows, message: '' }],
    ['named otherwise', { found: rows, next: '' }],
    ...(inside ? [['in the known wrapper', wrapped(inside, resource, rows)] as const] : []),
  ])('reads rows of XML %s', (_, sent) => {
    expect(read(operation, writeXml('x', sent))).toEqual(expected);
  });

  const nil = { '@nil': 'true' };
  const empty = [
    ...['', ' \n', 'null', '[]', '{}', '""', '{"items":[],"next":null}', '{"message":null}'],
    ...[null, [], nil, ''].map((none) => JSON.stringify({ [element]: none })),
    ...['<x/>', '<x></x>', '<x>\n</x>', `<x><${element}/></x>`],
    '<x xsi:nil="true" xmlns:xsi="y"/>',
    ...['{"totalCount":"0"}', '{"totalCount":0}', '{"total_record_count":"0"}'],
    ...['<x><totalCount>0</totalCount></x>', '<x><total_record_count>0</total_record_count></x>'],
    ...(inside
      ? [null, [], nil, ''].map((none) => JSON.stringify(wrapped(inside, resource, none)))
      : []),
    ...(inside
      ? Object.keys(inside.fields).flatMap((name) =>
          [null, {}, [], '', nil].map((none) => JSON.stringify({ [name]: none })),
        )
      : []),
    ...(inside && 'totals' in facts
      ? ['null', '{}', '[]', '{"row":null}', '{"row":[]}'].flatMap((none) => [
          `{"rows":${none},"totals":null}`,
          `{"rows":${none},"totals":{"total":{"attribute":"SALE_COUNT","value":"3"}}}`,
          `{"rows":${none}}`,
        ])
      : []),
  ];

  test.each(empty)('decodes %j as an empty list', (body) => {
    expect(read(operation, body)).toEqual([]);
  });

  test('decodes 204 without a body as an empty list, but not a 206', () => {
    expect(read(operation, '', 204)).toEqual([]);
    expect(() => read(operation, '', 206)).toThrow();
  });

  test.each([
    '{"found":[{"zzz":"1"},{"zzz":"2"}],"next":null}',
    '[{"zzz":"1"}]',
    `{"${element}":null,"found":[{"zzz":"1"}]}`,
    // Two equal keys.
    `{"${element}":${JSON.stringify(rows)},"${element}":null}`,
    `{"${element}":${JSON.stringify(rows)}, "${element}" : []}`,
    `{"${element}":null,"${element}":${JSON.stringify(one)}}`,
    `{"found":${JSON.stringify(rows)},"found":null}`,
    `{"x":{"${element}":${JSON.stringify(rows)}},"x":{}}`,
    '{"error":"no such thing"}',
    'Service unavailable',
    '"just a text"',
    `{"${element}":{"x":${'['.repeat(300)}${']'.repeat(300)}}}`,
    '<html><body>Sign in</body></html>',
  ])('never decodes %s as an empty list', (body) => {
    expect(() => read(operation, body)).toThrow();
  });
});

const counts = catalogue.flatMap(({ method, path, returns }) =>
  returns.kind === 'count' ? [{ name: `${method} ${path}`, returns }] : [],
);

describe.each(counts)('$name', ({ returns }) => {
  const count = (text: string) => replyOf({ returns }, { status: 200, headers: {}, body: text });

  test.each([
    ...['7', ' 7\n', '"7"', '{"count":7}', '{"count":"7"}', '{"orderShipData":{"count":"7"}}'],
    ...['{"count":{"@type":"xs:long","$":"7"}}', '{"@type":"xs:int","$":"7"}'],
    ...['<count>7</count>', '<x><count>7</count></x>'],
    '<?xml version="1.0"?>\n<x>\n<n> 7 </n>\n</x>',
    '<count xmlns:xsi="y" xsi:type="xs:long">7</count>',
  ])('reads 7 from %j', (text) => {
    expect(count(text)).toBe(7);
  });

  test('decodes nothing else as a count', () => {
    const others = ['', 'null', 'seven', '7.5', '-7', '[]', '{}', '<x/>', '{"count":7,"page":1}'];
    for (const text of others) expect(() => count(text), text).toThrow();
  });
});
