/** Copied rows are the rows: byte for byte what is written of them when they are made, or none are copied. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bodyFrom } from '../../src/api/body.ts';
import { replyOf } from '../../src/api/reply.ts';
import { openCopier } from '../../src/copying/copier.ts';
import { catalogue } from '../../src/operations/index.ts';
import { list } from '../../src/operations/operation.ts';
import { order } from '../../src/operations/orders.ts';
import type { Resource } from '../../src/operations/resource.ts';
import { renderRows } from '../../src/output/render.ts';
import type { RenderOptions, RowFormat } from '../../src/output/render-options.ts';
import type { Row } from '../../src/output/rows.ts';
import { seed } from '../fuzz/typed.ts';
import { damaged, listBody } from './wire.ts';

/** All that lists are made of. */
const resources = new Map(
  catalogue.flatMap(({ command, returns }) =>
    returns.kind === 'pages' || returns.kind === 'list' ? [[returns.resource, command]] : [],
  ),
);

interface Manner {
  readonly says: string;
  readonly format: RowFormat;
  readonly options: (resource: Resource) => RenderOptions;
}

const some = ({ fields }: Resource) => Object.keys(fields).reverse().slice(1);
const manners: readonly Manner[] = [
  { says: 'csv', format: 'csv', options: () => ({}) },
  {
    says: 'csv with semicolons and CR LF',
    format: 'csv',
    options: () => ({ csv: { delimiter: ';', crlf: true } }),
  },
  {
    says: 'csv with texts kept as typed',
    format: 'csv',
    options: () => ({ csv: { textIds: true } }),
  },
  {
    says: 'csv of chosen fields',
    format: 'csv',
    options: (shape) => ({ fields: some(shape) }),
  },
  {
    says: 'csv with tabs',
    format: 'csv',
    options: () => ({ csv: { delimiter: '\t' } }),
  },
  {
    says: 'csv of few fields',
    format: 'csv',
    options: ({ fields }) => ({ fields: Object.keys(fields).slice(0, 2) }),
  },
  { says: 'tsv', format: 'tsv', options: () => ({}) },
  { says: 'json', format: 'json', options: () => ({}) },
  { says: 'ndjson', format: 'ndjson', options: () => ({}) },
];

/** What is written for the rows of a body behind a first page; undefined when it can't be read, or more is told of it. */
async function written(
  resource: Resource,
  { format, options }: Manner,
  bytes: Buffer,
): Promise<{ readonly rows: number; readonly text: string } | undefined> {
  let isTold = false;
  const onLateFields = () => {
    isTold = true;
  };
  try {
    const body = bodyFrom(bytes, 'application/json');
    const rows = replyOf({ returns: list(resource) }, { status: 200, headers: {}, body });
    async function* pages() {
      yield [{}];
      yield rows as readonly Row[];
    }
    const texts: string[] = [];
    const all = { shape: resource, onLateFields, ...options(resource) };
    for await (const text of renderRows(format, pages(), all)) texts.push(text);
    // Halves of characters are written as what a file can hold.
    const text = String(Buffer.from(texts[1] ?? ''));
    return isTold ? undefined : { rows: rows.length, text };
  } catch {
    return undefined;
  }
}

/** How many of so many bodies were copied. */
async function compare(
  resource: Resource,
  manner: Manner,
  bodies: fc.Arbitrary<Buffer>,
  numRuns: number,
): Promise<number> {
  const { format, options } = manner;
  const copier = openCopier(resource, format, { shape: resource, ...options(resource) });
  let copied = 0;
  const same = async (bytes: Buffer) => {
    const found = copier?.(bytes);
    if (!found) return;
    copied += 1;
    const copy = { rows: found.rows, text: String(found.text) };
    expect(copy).toEqual(await written(resource, manner, bytes));
  };
  await fc.assert(fc.asyncProperty(bodies, same), { numRuns, seed });
  return copied;
}

const asBytes = (text: string) => Buffer.from(text);

describe.each(manners)('Rows copied as $says', (manner) => {
  test('are those of the way of all others, in every list', async () => {
    let copied = 0;
    for (const resource of resources.keys()) {
      copied += await compare(resource, manner, listBody(resource, 0.1).map(asBytes), 60);
    }
    expect(copied).toBeGreaterThan(200);
  });

  test('are copied in nearly all that the service writes', async () => {
    const copied = await compare(order, manner, listBody(order, 0).map(asBytes), 300);
    expect(copied).toBe(300);
  });

  test('are none of a body that is damaged beyond reading', async () => {
    await compare(order, manner, damaged(listBody(order, 0.02)), 400);
  });
});

test.each(
  manners.filter(({ says }) => ['csv', 'csv with texts kept as typed', 'json'].includes(says)),
)(
  'Every character there is goes into $says as it does by the way of all others',
  async (manner) => {
    const options = { shape: order, ...manner.options(order) };
    const copy = openCopier(order, manner.format, options);
    for (const body of everyCharacter()) {
      const copied = copy?.(body);
      const made = await written(order, manner, body);
      expect(String(copied?.text) === made?.text).toBe(true);
    }
  },
);

test('Every short word is kept as typed as it is by the way of all others', async () => {
  const csv = { textIds: true };
  const manner: Manner = { says: 'csv', format: 'csv', options: () => ({ csv }) };
  const copy = openCopier(order, 'csv', { shape: order, csv });
  const words = [
    'true',
    'wahr',
    'vrai',
    'verdadero',
    'vero',
    'waar',
    'May',
    'März',
    'jan',
    'am',
    '#N/A',
    'E',
  ];
  const texts = words.flatMap((word) => [
    word,
    ` ${word}`,
    `${word.toUpperCase()} `,
    `${word}1`,
    `1${word}`,
  ]);
  const rows = texts.map((text) => `{"email":${JSON.stringify(text)}}`);
  const body = Buffer.from(`{"orderData":[${rows.join(',')}]}`);
  expect(String(copy?.(body)?.text)).toBe((await written(order, manner, body))?.text);
});

test.each(['oops', '"U\\qSD"', '"U\nSD"', '{{]]', '{"a":}', '"cut', '1.2.3'])(
  'A page with %j in a field that nobody chose is not taken for whole',
  (value) => {
    const fields = ['receipt', 'email'];
    const copy = openCopier(order, 'csv', { shape: order, fields });
    const body = (currency: string) =>
      Buffer.from(`{"orderData":[{"receipt":"A","currency":${currency},"email":"b"}]}`);
    expect(copy?.(body('"USD"'))).toMatchObject({ rows: 1 });
    expect(copy?.(body(value))).toBeUndefined();
  },
);

test('A raw tab in a text is no JSON, also where tabs part the cells', () => {
  const copy = openCopier(order, 'csv', { shape: order, csv: { delimiter: '\t' } });
  const body = (email: string) => Buffer.from(`{"orderData":[{"receipt":"A","email":"${email}"}]}`);
  expect(copy?.(body('b'))).toMatchObject({ rows: 1 });
  expect(copy?.(body('b\tc'))).toBeUndefined();
});

test('A body nested beyond reason is left to the way of all others, which can tell what is wrong', () => {
  const copy = openCopier(order, 'csv', { shape: order });
  const deep = `${'['.repeat(200_000)}1.0${']'.repeat(200_000)}`;
  expect(copy?.(Buffer.from(`{"orderData":[{"vendorVariables":${deep}}]}`))).toBeUndefined();
  expect(copy?.(Buffer.from(`{"orderData":[{"customerContactInfo":${deep}}]}`))).toBeUndefined();
});

/** Of the planes beyond the first, one in so many: they are of few kinds. */
const step = 16;

function* codes(): Generator<number> {
  for (let code = 0; code <= 0xffff; code++) yield code;
  for (let code = 0x1_0000; code <= 0x10_ffff; code += step) yield code;
}

/** At the beginning and the end of texts, in rows and in lists inside them. */
function* everyCharacter(): Generator<Buffer> {
  let rows: string[] = [];
  for (const code of codes()) {
    const character = String.fromCodePoint(code);
    const text = JSON.stringify(`${character}a${character}`);
    rows.push(`{"email":${text},"lineItemData":{"productTitle":${text}}}`);
    if (rows.length < 1000) continue;
    yield Buffer.from(`{"orderData":[${rows.join(',')}]}`);
    rows = [];
  }
  yield Buffer.from(`{"orderData":[${rows.join(',')}]}`);
}
