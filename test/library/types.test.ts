/** The types that the package declares: equal to those of the catalogue, documented, and reviewed when they change. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { catalogueTypes } from '../../src/build/library/catalogue-types.ts';
import { declarations } from '../../src/build/library/declarations.ts';
import { project, typeErrors } from './package.ts';

const written = catalogueTypes();
const declared = declarations();
const derived = readFileSync('src/library/catalogue.ts', 'utf8');
const names = [...derived.matchAll(/^export type (\w+)/gm)].map(([, name = '']) => name);

const source = (path: string) => resolve('src', path);

/** Compares two types in every detail: optional, readonly, and the parameters of methods. */
const comparison = `
import type { RowList } from '${source('library/types.ts')}';
import type * as Derived from '${source('library/catalogue.ts')}';
import type * as Written from './written.ts';

type Flat<T> = unknown extends T
  ? 'unknown'
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends RowList<infer R>
      ? { rows: Flat<R> }
      : T extends Promise<infer R>
        ? { promise: Flat<R> }
        : T extends AbortSignal
          ? 'signal'
          : T extends (...given: infer A) => infer R
            ? { parameters: Flat<A>; result: Flat<R> }
            : { [K in keyof T]: Flat<T[K]> };

type Equal<A, B> = (<T>() => T extends Flat<A> ? 1 : 2) extends <T>() => T extends Flat<B> ? 1 : 2
  ? true
  : false;

${names.map((name) => `export const ${name}: Equal<Derived.${name}, Written.${name}> = true;`).join('\n')}
`;

const imports = `
import type { Decimal } from '${source('operations/decimal.ts')}';
import type { RequestOptions } from '${source('client/exchange.ts')}';
import type * as types from '${source('library/types.ts')}';
type RowList<R> = types.RowList<R>;
type SafeWriteOptions = types.SafeWriteOptions;
type SafeWriteResult<T> = types.SafeWriteResult<T>;
`;

/** Changes of the declarations, each with the type in which the comparison notices it. */
const differences: readonly (readonly [from: string, to: string, name: string])[] = [
  ['  readonly refundAmount?: string | undefined;\n', '', 'Catalogue'],
  ['readonly fullName?: string | null;', '', 'Order'],
];

test('declares the types that follow from the catalogue, and no others', async () => {
  expect(names).toContain('Catalogue');
  expect(names.length).toBeGreaterThan(15);
  const changed = differences.map(([from, to]) => written.replace(from, to));
  expect(changed).not.toContain(written);
  const files = [written, ...changed].flatMap((types, i) => [
    [`written${i}.ts`, imports + types],
    [`comparison${i}.ts`, comparison.replace('./written.ts', `./written${i}.ts`)],
  ]);
  const options = { allowImportingTsExtensions: true, skipLibCheck: true };
  const errors = await typeErrors(project(Object.fromEntries(files)), options);
  expect(errors).not.toMatch(/^\w+0\.ts/m);
  for (const [i, [, , name]] of differences.entries()) {
    const line = comparison.split('\n').findIndex((one) => one.startsWith(`export const ${name}:`));
    expect(errors).toContain(`comparison${i + 1}.ts(${line + 1},`);
  }
});

test('documents every method, argument, and field', () => {
  const lines = written.split('\n');
  const members = lines.flatMap((line, index) => {
    const isGroup = /^ {2}readonly \w+: \w+Methods;$/.test(line);
    return line.startsWith('  readonly ') && !isGroup ? [{ line, before: lines[index - 1] }] : [];
  });
  expect(members.length).toBeGreaterThan(500);
  expect(members.filter(({ before }) => !before?.endsWith('*/'))).toEqual([]);
});

test('refers to no page that users of the package lack', () => {
  const comments = declared.flatMap(({ text }) => text.match(/\/\*\*[\s\S]*?\*\//g) ?? []);
  expect(comments.length).toBeGreaterThan(500);
  const pages = /specification|\bsection\b|\.md\b|decision|cb help|\(see /i;
  expect(comments.filter((comment) => pages.test(comment))).toEqual([]);
});

test('says the units, the errors, and the request', () => {
  for (const text of [
    '`GET /rest/1.3/orders2/list`. Required permissions',
    'Throws an ApiError. Status 403 means: the receipt does not exist, or your account may not see it.',
    '/** What the customer paid, as sent: in US dollars or in `currency`, which is disputed. Digits as sent. */',
    'negative in refunds. Digits as sent. */',
    '/** When it was opened. ISO 8601 with the Pacific offset. */',
    'A Pacific day, `yyyy-mm-dd`.',
  ]) {
    expect(written).toContain(text);
  }
});

/**
 * Without comments, each declaration is one line of the report, which leaves out the types of the catalogue: the first test
 * derives them. To accept a reviewed change:
 * npx vitest run --config .vitest.config.ts test/library/types.test.ts --update
 */
test('exports what the report says', async () => {
  const exported = [...written.matchAll(/^export (?:interface|type) (\w+)/gm)];
  const derivedNames = exported.map(([, name]) => name).join('|');
  const ofCatalogue = new RegExp(`^export (?:interface|type) (?:${derivedNames})\\b.*\n`, 'gm');
  const report = declared.map(({ name, text }) => {
    const code = text.replaceAll(/\/\*\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\n/gm, '');
    const lines = code.replaceAll(/\n\s*(?=[\s}|])/g, ' ').replaceAll(/ {2,}/g, ' ');
    return `${name}\n\n${lines.replaceAll(ofCatalogue, '')}`;
  });
  await expect(report.join('\n')).toMatchFileSnapshot('../golden/library-api.txt');
});

const program = `
import { ApiError, createClient, type Order } from 'clickbank-cli';
import { startSandbox } from 'clickbank-cli/sandbox';

export async function main(): Promise<void> {
  await using sandbox = await startSandbox({ orders: 60 });
  await using client = createClient(sandbox);
  createClient({ ...sandbox, fetch: globalThis.fetch });
  const list = client.orders.list({ startDate: '2026-03-01', endDate: '2026-03-07', type: 'SALE' });
  for await (const order of list) print(order);
  const created = await client.safe.tickets.create(
    { receipt: 'DIGITAL1', type: 'tech', reason: 'ticket.type.tech_support.1' },
    { confirm: ({ warnings }) => warnings.length === 0 },
  );
  if (created.state === 'done') created.reply?.ticketid;
  else if (created.error instanceof ApiError) created.error.retryable;
  client.quickstats.accounts({ signal: AbortSignal.timeout(1000) });
  // @ts-expect-error There is no such type.
  client.orders.list({ type: 'REFUND' });
  // @ts-expect-error The receipt is missing.
  client.tickets.create({ type: 'tech', reason: 'ticket.type.tech_support.1' });
  // @ts-expect-error A safe write is not a read.
  client.safe.orders.list({});
  // @ts-expect-error The constant of the operation is not an argument.
  client.tickets.close({ id: '1', action: 'close' });
}

function print({ receipt, totalOrderAmount, lineItemData }: Order): string {
  const [item] = lineItemData ?? [];
  return \`\${receipt} \${totalOrderAmount} \${item?.productTitle}\`;
}
`;

/** One type of amounts, typed tracking parameters, and known values that are not the only ones, as editors complete. */
const rows = `
import type { Decimal, Order, Ticket } from 'clickbank-cli';
import type { NotificationEvent } from 'clickbank-cli/ins';

const cents = (amount: Decimal): number => Math.round(Number(amount) * 100);

export function total(order: Order, event: NotificationEvent): number {
  return cents(order.totalOrderAmount ?? zero) + cents(event.totalOrderAmount ?? zero);
}
declare const zero: Decimal;

export function campaign(order: Order, event: NotificationEvent): string {
  const { affSub1, trafficType, ownName } = order.affiliateTrackingParameters ?? {};
  const { clickId } = order.commonTrackingParameters ?? {};
  const text: string | null | undefined = affSub1 ?? trafficType ?? clickId;
  const own: unknown = ownName;
  const sent = event.version === 8 ? event.affiliateTrackingParameters?.affSub1?.trim() : '';
  return \`\${text} \${own} \${sent}\`;
}

export function isNew(order: Order): boolean {
  return 'newField' in order && order.newField === true;
}

type Has<V, T> = [Extract<T, V>] extends [never] ? false : true;
export const states: readonly true[] = [
  true satisfies Has<'REFUNDABLE', Order['customerRefundableState']>,
  true satisfies Has<'SALE', Order['transactionType']>,
  true satisfies Has<'OPEN', Ticket['status']>,
];
export const others: Pick<Ticket, 'status' | 'type'> = { status: 'SOMETHING_NEW', type: 'REFUND' };
`;

test.each([
  ['Node', { types: ['node'] }],
  ['a browser', { types: [], lib: ['es2023', 'dom'], module: 'preserve' }],
])('type-checks programs with the types of %s', async (_, options) => {
  expect(await typeErrors(project({ 'program.ts': program, 'rows.ts': rows }), options)).toBe('');
});
