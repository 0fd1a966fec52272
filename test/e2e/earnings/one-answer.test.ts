/**
 * What was sold, refunded, charged back and earned in a month: every way to ask gives the answer of an independent
 * program, to the cent. `CB_PRINT=1` prints the table of ways and keys.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { addDecimals } from '../../../src/decimals/decimals.ts';
import { createClient } from '../../../src/library/index.ts';
import { startSandbox } from '../../../src/sandbox/http/server.ts';
import { startAgent } from '../../support/agent.ts';
import { home, now } from '../../support/cb.ts';

type Row = Readonly<Record<string, unknown>>;

/** Amounts in cents. A way leaves out what it doesn't answer. */
interface Answer {
  readonly earned?: number;
  readonly refunded?: number;
  readonly chargedBack?: number;
  readonly net?: number;
  /** What sales earned, without rebills. */
  readonly sold?: number;
  /** What customers paid by currency. */
  readonly paid?: Readonly<Record<string, number>>;
  readonly sales?: number;
  readonly rebills?: number;
  readonly refunds?: number;
  readonly chargebacks?: number;
}

interface Order {
  readonly receipt: string;
  readonly transactionType: string;
  readonly transactionTime: string;
  readonly role: string;
  readonly currency: string;
  readonly totalOrderAmount: unknown;
  readonly lineItemData: unknown;
}

const month = '2026-02';
const [first, last] = ['2026-02-01', '2026-02-28'];

function cents(amount: unknown): number {
  return Math.round(Number(amount ?? 0) * 100);
}

function listOf(value: unknown): readonly Row[] {
  if (value === null || value === undefined) return [];
  return (Array.isArray(value) ? value : [value]) as readonly Row[];
}

function shareOf({ lineItemData }: Order): number {
  return listOf(lineItemData).reduce((sum, item) => {
    const amount = item.accountAmount;
    return sum + (typeof amount === 'object' ? 0 : cents(amount));
  }, 0);
}

/** Adds up shares; a transaction that is there twice, with two roles, counts once. */
function answerOf(orders: readonly Order[]): Required<Answer> {
  const of = (type: string) => orders.filter(({ transactionType }) => transactionType === type);
  const amount = (type: string) => of(type).reduce((sum, order) => sum + shareOf(order), 0);
  const count = (type: string) =>
    new Set(of(type).map((one) => `${one.receipt} ${one.transactionTime}`)).size;
  const [earned, refunded] = [amount('SALE') + amount('BILL'), -amount('RFND')];
  const chargedBack = -amount('CGBK');
  const paid: Record<string, number> = {};
  const payments = [...of('SALE'), ...of('BILL')];
  const once = new Map(payments.map((one) => [`${one.receipt} ${one.transactionTime}`, one]));
  for (const { currency, totalOrderAmount } of once.values()) {
    paid[currency] = (paid[currency] ?? 0) + cents(totalOrderAmount);
  }
  return {
    ...{ earned, refunded, chargedBack, net: earned - refunded - chargedBack },
    ...{ sold: amount('SALE'), paid },
    ...{ sales: count('SALE'), rebills: count('BILL') },
    ...{ refunds: count('RFND'), chargebacks: count('CGBK') },
  };
}

/** Reads all pages over HTTP, with the roles that the key has. */
async function rawOrders(url: string, key: string, role?: string): Promise<Order[]> {
  const found: Order[] = [];
  for (let page = 1; ; page++) {
    const query = new URLSearchParams({ startDate: first, endDate: last, ...(role && { role }) });
    const headers = { authorization: key, accept: 'application/json', page: String(page) };
    const reply = await fetch(`${url}/rest/1.3/orders2/list?${query}`, { headers });
    const body = (await reply.json()) as { orderData?: Order | Order[] } | null;
    found.push(...(listOf(body?.orderData) as unknown as Order[]));
    if (reply.status !== 206) return found;
  }
}

async function openShop(randomSeed: number, keyName: string) {
  const seed = { orders: 700, randomSeed };
  const sandbox = await startSandbox({ file: ':memory:', now: () => now, seed });
  const key = sandbox.keys.find(({ name }) => name === keyName)?.key ?? '';
  const env = { CB_BASE_URL: sandbox.url, CB_API_KEY: key };
  const { cb, folder } = home();
  const all = async (line: string, columns?: number) => {
    const result = await cb(line, { env, ...(columns && { columns }) });
    expect({ line, ...result }).toMatchObject({ code: 0 });
    return result;
  };
  const run = async (line: string, columns?: number) => (await all(line, columns)).out;
  const json = async (line: string) => JSON.parse(await run(`${line} -o json`));
  const csv = async (line: string): Promise<Readonly<Record<string, string>>[]> =>
    parse(await run(`${line} -o csv`), { columns: true });
  return { sandbox, key, env, folder, all, run, json, csv };
}

type Shop = Awaited<ReturnType<typeof openShop>>;

function ofSummary(totals: Row): Answer {
  const { earned, refunded, chargedBack, net, sales, rebills, refunds, chargebacks } = totals;
  return {
    ...{ earned: cents(earned), refunded: cents(refunded), chargedBack: cents(chargedBack) },
    ...{ net: cents(net), sales: Number(sales), rebills: Number(rebills) },
    ...{ refunds: Number(refunds), chargebacks: Number(chargebacks) },
  };
}

/** Rows of groups; only amounts, because a transaction with several products is in several groups. */
function amountsOf(rows: readonly Row[]): Answer {
  const sum = (name: string) => rows.reduce((all, row) => all + cents(row[name]), 0);
  const [earned, refunded, chargedBack] = [sum('earned'), sum('refunded'), sum('chargedBack')];
  return { earned, refunded, chargedBack, net: sum('net') };
}

function ofQuickstats(stats: readonly Row[]): Answer {
  const rows = stats.flatMap((row) => (row.quickStats ? listOf(row.quickStats) : [row]));
  const sum = (name: string) => rows.reduce((all, row) => all + cents(row[name]), 0);
  const [earned, refunded, chargedBack] = [sum('sale'), sum('refund'), sum('chargeback')];
  return { earned, refunded, chargedBack, net: earned - refunded - chargedBack };
}

/** Rows with a type and what is earned, of a csv file. */
function ofBooked(
  rows: readonly Readonly<Record<string, string>>[],
  kind: (row: Readonly<Record<string, string>>) => string,
  amount: string,
): Answer {
  const of = (...kinds: string[]) =>
    rows
      .filter((row) => kinds.includes(kind(row)))
      .reduce((sum, row) => sum + cents(row[amount]), 0);
  const [earned, refunded, chargedBack] = [
    ...[of('SALE', 'sale', 'BILL', 'rebill'), -of('RFND', 'refund'), -of('CGBK', 'chargeback')],
  ] as [number, number, number];
  return { earned, refunded, chargedBack, net: earned - refunded - chargedBack };
}

/** `-$1,234.50` as cents. */
function dollars(text: string): number {
  return cents(text.replaceAll(/[$,]/g, ''));
}

/** A list leaves out the shares of own affiliates and says so; `--role AFFILIATE` lists them. */
async function withOwnReferrals(shop: Shop, line: string): Promise<Order[]> {
  const { out, err } = await shop.all(`${line} -o json`);
  const listed: Order[] = JSON.parse(out);
  if (!err.includes('leaves out what')) return listed;
  const referred: Order[] = JSON.parse(await shop.run(`${line} --role AFFILIATE -o json`));
  const has = new Set(listed.map((one) => `${one.receipt} ${one.transactionTime} ${one.role}`));
  return [
    ...listed,
    ...referred.filter((one) => !has.has(`${one.receipt} ${one.transactionTime} ${one.role}`)),
  ];
}

/** The question of a page that begins with these words, limited to the month. */
function written(page: string, start: string): string {
  const text = readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8');
  const query = text.slice(text.indexOf(start)).replaceAll(/\s+/g, ' ').split('"')[1] ?? '';
  const of = (word: string) => ` ${word} month = '${first}'`;
  return query.includes(' where ')
    ? query.replace(' where ', `${of('where')} and `)
    : query.replace(' group by ', `${of('where')} group by `);
}

/** Adds up columns of the rows that a question to the copy answers. */
async function asked({ json, folder }: Shop, query: string) {
  const file = join(folder, 'query.sql');
  writeFileSync(file, query);
  const rows: Row[] = await json(`sql --file ${file}`);
  return { rows, sum: (name: string) => rows.reduce((all, row) => all + cents(row[name]), 0) };
}

/** A key without shares of its own affiliates gets the same rows for both roles. */
function distinct(orders: readonly Order[]): Order[] {
  const id = (one: Order) =>
    `${one.receipt} ${one.transactionType} ${one.transactionTime} ${one.role}`;
  return [...new Map(orders.map((one) => [id(one), one])).values()];
}

const list = `orders list --period ${month}`;

const ways: Readonly<Record<string, (shop: Shop) => Promise<Answer>>> = {
  'summary -o json': async ({ json }) =>
    ofSummary((await json(`summary --period ${month}`)).totals),
  'summary -o csv': async ({ csv }) => {
    const rows = await csv(`summary --period ${month}`);
    return ofSummary(Object.fromEntries(rows.map(({ metric, value }) => [metric, value])));
  },
  ...Object.fromEntries(
    ['day', 'product', 'affiliate', 'tracking-id', 'country', 'currency'].map((by) => [
      `summary --by ${by}`,
      async ({ json }: Shop) => amountsOf(await json(`summary --period ${month} --by ${by}`)),
    ]),
  ),
  'orders list -o json, with the list that its note names': async (shop) =>
    answerOf(await withOwnReferrals(shop, list)),
  'orders list --layout accounting': async ({ csv }) =>
    ofBooked(await csv(`${list} --layout accounting`), ({ kind = '' }) => kind, 'youEarn'),
  'export month, on a terminal': async ({ all }) => {
    const { err: text } = await all(`export month ${month} --out ${month}.xlsx`, 120);
    const amount = (name: string) =>
      dollars(new RegExp(`^ +${name} +[\\d,]+ +(-?[\\d,.]+) USD`, 'm').exec(text)?.[1] ?? 'none');
    const count = (name: string) =>
      Number(new RegExp(`^ +${name} +([\\d,]+)`, 'm').exec(text)?.[1]?.replace(',', ''));
    return {
      earned: amount('Sales') + amount('Rebills'),
      ...{ refunded: -amount('Refunds'), chargedBack: -amount('Chargebacks'), net: amount('Net') },
      ...{ sales: count('Sales'), rebills: count('Rebills') },
      ...{ refunds: count('Refunds'), chargebacks: count('Chargebacks') },
    };
  },
  'quickstats list': async ({ json }) =>
    ofQuickstats(await json(`quickstats list --period ${month}`)),
  'quickstats count': async ({ json }) =>
    ofQuickstats(await json(`quickstats count --period ${month}`)),
  'quickstats report, headline': async ({ run }) => {
    const html = await run(`quickstats report --period ${month}`);
    const card = (kind: string) =>
      dollars(new RegExp(`class="${kind}">.*?class="figure">([^<]+)<`).exec(html)?.[1] ?? 'none');
    return {
      ...{ earned: card('sale'), refunded: card('refund'), chargedBack: card('chargeback') },
      net: card('net'),
    };
  },
  'cb sql, as README writes it': async (shop) => {
    const { sum } = await asked(shop, written('README.md', 'cb sync && cb sql "'));
    return { sales: sum('sales') / 100, sold: sum('earned') };
  },
  'cb sql, by month and currency, as the guide writes it': async (shop) => {
    const query = written('docs/guide/sql.md', 'cb sql "select month, currency,');
    const { rows, sum } = await asked(shop, query);
    const paid = rows.filter((row) => cents(row.customers_paid) > 0);
    return {
      ...{ earned: sum('earned'), refunded: sum('refunded'), chargedBack: sum('charged_back') },
      ...{ net: sum('net') },
      paid: Object.fromEntries(paid.map((row) => [row.currency, cents(row.customers_paid)])),
    };
  },
  'cb sql, by product, as the guide writes it': async (shop) => {
    const { sum } = await asked(shop, written('docs/guide/sql.md', 'cb sql "select product,'));
    return { earned: sum('earned'), net: sum('net') };
  },
  'cb metrics payments': async ({ csv }) => {
    const rows = await csv(`metrics payments --period ${month}`);
    const count = (type: string) => rows.filter((row) => row.transaction_type === type).length;
    return {
      ...amountsOf(rows.map((row) => ({ ...row, chargedBack: row.charged_back }))),
      ...{ sales: count('SALE'), rebills: count('BILL') },
      ...{ refunds: count('RFND'), chargebacks: count('CGBK') },
    };
  },
  ...Object.fromEntries(
    ['sales-by-day-and-product', 'rates-by-affiliate'].map((name) => [
      `cb metrics ${name}`,
      async ({ csv }: Shop) => {
        const rows = await csv(`metrics ${name} --period ${month}`);
        return amountsOf(rows.map((row) => ({ ...row, chargedBack: row.charged_back })));
      },
    ]),
  ),
  'agents: find_orders, both roles': async ({ env, folder, json }) => {
    const agent = await startAgent({ env, folder });
    const own = (await json('quickstats accounts')).map((row: Row) => row.nickName);
    const found: Order[] = [];
    for (const role of [undefined, 'AFFILIATE']) {
      const asked = { startDate: first, endDate: last, limit: 100, ...(role && { role }) };
      for (let cursor: unknown, part = 0; part === 0 || cursor !== undefined; part++) {
        const { data } = await agent.call('find_orders', { ...asked, ...(part > 0 && { cursor }) });
        const rows = data.rows as (Order & { vendor: string; youEarnUsd: string | null })[];
        const listed = rows.filter(({ vendor }) => role === undefined || own.includes(vendor));
        found.push(
          ...listed.map((one) => ({ ...one, lineItemData: { accountAmount: one.youEarnUsd } })),
        );
        cursor = data.next;
      }
    }
    const { paid: _, ...answer } = answerOf(distinct(found));
    return answer;
  },
  'agents: summary': async ({ env, folder }) => {
    const agent = await startAgent({ env, folder });
    const { data } = await agent.call('summary', { startDate: first, endDate: last });
    return ofSummary(data.totals as Row);
  },
  'agents: summary by product': async ({ env, folder }) => {
    const agent = await startAgent({ env, folder });
    const asked = { startDate: first, endDate: last, by: 'product', limit: 100 };
    const { data } = await agent.call('summary', asked);
    return amountsOf(data.rows as readonly Row[]);
  },
  'library, both roles': async ({ sandbox, key }) => {
    const client = createClient({ baseUrl: sandbox.url, apiKey: key });
    const days = { startDate: first, endDate: last };
    const own = (await client.quickstats.accounts().toArray()).map(({ nickName }) => nickName);
    const found: Order[] = [];
    for await (const row of client.orders.list(days)) found.push(row as unknown as Order);
    for await (const row of client.orders.list({ ...days, role: 'AFFILIATE' })) {
      if (own.includes(row.vendor ?? '')) found.push(row as unknown as Order);
    }
    await client.close();
    return answerOf(found);
  },
};

async function expected({ sandbox, key }: Shop): Promise<Required<Answer>> {
  const all = await rawOrders(sandbox.url, key);
  const id = (one: Order) => `${one.receipt} ${one.transactionType} ${one.transactionTime}`;
  const seen = new Set(all.filter(({ role }) => role === 'AFFILIATE').map(id));
  const referred = await rawOrders(sandbox.url, key, 'AFFILIATE');
  return answerOf([...all, ...referred.filter((one) => !seen.has(id(one)))]);
}

const keys = ['vendor', 'affiliate', 'full'];

test.each([7, 8, 9].flatMap((seed) => keys.map((key) => [seed, key] as const)))(
  'gives one answer to one question, asked in every way (seed %i, key %s)',
  async (seed, keyName) => {
    const shop = await openShop(seed, keyName);
    await shop.run(`sync --tables orders --since ${first}`);
    try {
      const answer = await expected(shop);
      expect(answer.earned).toBeGreaterThan(0);
      for (const [way, ask] of Object.entries(ways)) {
        const found = await ask(shop);
        if (process.env.CB_PRINT) process.stdout.write(line(seed, keyName, way, found));
        const asked = Object.keys(found) as (keyof Answer)[];
        const same = Object.fromEntries(asked.map((name) => [name, answer[name]]));
        expect({ way, ...found }).toEqual({ way, ...same });
      }
    } finally {
      await shop.sandbox.close();
    }
  },
);

function line(seed: number, key: string, way: string, found: Answer): string {
  return `${seed} ${key.padEnd(9)} ${way.padEnd(58)} ${Object.values(found)
    .map((one) => JSON.stringify(one))
    .join(' ')}\n`;
}

test('says on the last line and in the workbook what the sums of a list leave out', async () => {
  const shop = await openShop(7, 'full');
  try {
    const orders: Order[] = await shop.json(list);
    const tests = orders.filter(({ transactionType }) => transactionType.startsWith('TEST_'));
    const real = orders.filter(({ transactionType }) => !/^TEST_|FEE/.test(transactionType));
    const sum = addDecimals(real.map((one) => (shareOf(one) / 100).toFixed(2))) ?? '';
    const { out, err } = await shop.all(list, 400);
    const text = out.trimEnd().split('\n').at(-1)?.replaceAll(',', '') ?? '';
    expect(text).toContain(`you earn ${Number(sum).toFixed(2)} USD`);
    expect(text).toContain(`${tests.length} test transaction`);
    expect(err).toContain('The list leaves out what TOPAFF1 earned as the affiliate of your own');
    const both = await shop.all(`${list} --layout accounting -o csv`);
    expect(both.err).toBe('');
    const asVendor = await shop.all(`${list} --role VENDOR -o csv`);
    expect(asVendor.err).toBe('');
  } finally {
    await shop.sandbox.close();
  }
});
