/** The ways to ask cb what was sold, refunded, charged back and earned, and what each one answers. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { createClient } from '../../../src/library/index.ts';
import { byField, readWorkbook } from '../../support/workbook.ts';
import {
  type Answer,
  addUp,
  cents,
  dollars,
  type Expected,
  listOf,
  type Order,
  type Part,
  partOf,
  type Row,
  withoutZeros,
} from './answers.ts';
import type { Shop, Texts } from './shops.ts';

export interface WayAnswer {
  readonly answer: Answer;
  /** What the way says besides: stderr, and the notes of a sheet. */
  readonly notes?: string;
  /** What the guide says of a way without notes. */
  readonly counts?: keyof Expected;
}

export type Way = (shop: Shop) => Promise<WayAnswer>;

function figuresOf(totals: Row): Answer {
  const { earned, refunded, chargedBack, net, sales, rebills, refunds, chargebacks } = totals;
  return {
    ...{ earned: cents(earned), refunded: cents(refunded), chargedBack: cents(chargedBack) },
    ...{ net: cents(net), sales: Number(sales), rebills: Number(rebills) },
    ...{ refunds: Number(refunds), chargebacks: Number(chargebacks) },
  };
}

/** Adds up the figures of rows, named as in the copy or as in a summary. */
function sumOf(rows: readonly Row[]) {
  const sum = (...names: string[]) =>
    rows.reduce((all, row) => all + cents(names.map((name) => row[name]).find(Boolean)), 0);
  const count = (name: string) => rows.reduce((all, row) => all + Number(row[name] || 0), 0);
  return {
    ...{ earned: sum('earned'), refunded: sum('refunded'), net: sum('net') },
    chargedBack: sum('chargedBack', 'charged_back'),
    ...{ sales: count('sales'), rebills: count('rebills') },
    ...{ refunds: count('refunds'), chargebacks: count('chargebacks') },
  };
}

/** Only amounts: a transaction with several products counts for each of them. */
function amountsOf(rows: readonly Row[]): Answer {
  const { earned, refunded, chargedBack, net } = sumOf(rows);
  return { earned, refunded, chargedBack, net };
}

function quickstatsOf(stats: readonly Row[]): Answer {
  const rows = stats.flatMap((row) => (row.quickStats ? listOf(row.quickStats) : [row]));
  const sum = (name: string) => rows.reduce((all, row) => all + cents(row[name]), 0);
  const [earned, refunded, chargedBack] = [sum('sale'), sum('refund'), sum('chargeback')];
  return { earned, refunded, chargedBack, net: earned - refunded - chargedBack };
}

const partsOf = (orders: readonly Order[]) => orders.map((one) => partOf(one));

const money = (text: string | undefined) => (text === '' ? {} : { paid: cents(text) });

/** A row of each layout as a part. */
const layouts = {
  orders: ({ transactionType = '', youEarn, totalOrderAmount, currency = '', ...row }) => ({
    ...{ kind: transactionType, earned: cents(youEarn), ...money(totalOrderAmount), currency },
    transaction: `${row.receipt} ${timeOf(row)}`,
  }),
  items: ({ transactionType = '', accountAmount, totalOrderAmount, currency = '', ...row }) => ({
    ...{ kind: transactionType, earned: cents(accountAmount), ...money(totalOrderAmount) },
    ...{ currency, transaction: isFirst(row) ? `${row.receipt} ${timeOf(row)}` : undefined },
  }),
  // A row of an own affiliate has no customerPaid, and is no transaction of its own.
  accounting: ({ kind = '', youEarn, customerPaid, currency = '', ...row }) => ({
    ...{ kind, earned: cents(youEarn), ...money(customerPaid), currency },
    transaction: `${row.receipt} ${timeOf(row)}`,
  }),
} satisfies Readonly<Record<string, (row: Texts) => Part>>;

function isFirst({ itemNumber }: Texts): boolean {
  return itemNumber === '' || itemNumber === '1';
}

/** The header of a workbook names the zone. */
function timeOf(row: Texts): string {
  return Object.entries(row).find(([name]) => /^(?:transactionT|t)ime\b/.test(name))?.[1] ?? '';
}

const list = ({ period }: Shop) => `orders list --period ${period}`;

/** What the sheet Totals adds up, and its notes. */
function totalsIn(sheets: ReadonlyMap<string, readonly Texts[]>) {
  const rows = sheets.get('Totals') ?? [];
  const by = (name: string) => rows.filter(({ amount }) => amount === name);
  const [earned] = ['youEarn', 'accountAmount'].flatMap(by);
  const paid = ['totalOrderAmount', 'customerPaid'].flatMap(by);
  const answer: Answer = {
    ...(earned && { net: cents(earned.total) }),
    paidNet: withoutZeros(
      Object.fromEntries(paid.map(({ currency = '', total }) => [currency, cents(total)])),
    ),
  };
  return { answer, notes: rows.map(({ note }) => note).join('\n') };
}

async function workbookOf(shop: Shop, line: string) {
  const file = `${line.replaceAll(/\W+/g, '-')}.xlsx`;
  const { err } = await shop.all(`${line} --out ${file}`);
  return { sheets: readWorkbook(join(shop.folder, file)), err };
}

/** The rows of these sheets of the month. */
async function sheetsOfMonth(shop: Shop, ...names: readonly string[]): Promise<readonly Texts[]> {
  const { sheets } = await workbookOf(shop, `export month ${shop.period}`);
  return names.flatMap((name) => sheets.get(name)?.map(byField) ?? []);
}

function figuresOfMonth(amount: (kind: string) => number, count: (kind: string) => number) {
  return {
    earned: amount('Sales') + amount('Rebills'),
    ...{ refunded: 0 - amount('Refunds'), chargedBack: 0 - amount('Chargebacks') },
    ...{ net: amount('Net'), sold: amount('Sales') },
    ...{ sales: count('Sales'), rebills: count('Rebills') },
    ...{ refunds: count('Refunds'), chargebacks: count('Chargebacks') },
  };
}

function ofLayout(layout: string, partOfRow: (row: Texts) => Part): Readonly<Record<string, Way>> {
  const sheet = { orders: 'Orders', items: 'Line items', accounting: 'Accounting', raw: 'Orders' };
  return {
    [`orders list --layout ${layout} -o csv`]: async (shop) => {
      const { out, err } = await shop.all(`${list(shop)} --layout ${layout} -o csv`);
      const rows: Texts[] = parse(out, { columns: true });
      return { answer: addUp(rows.map(partOfRow)), notes: err };
    },
    [`orders list --layout ${layout}, workbook, rows`]: async (shop) => {
      const { sheets, err } = await workbookOf(shop, `${list(shop)} --layout ${layout}`);
      const rows = sheets.get(sheet[layout as keyof typeof sheet]) ?? [];
      return { answer: addUp(rows.map(partOfRow)), notes: err };
    },
    [`orders list --layout ${layout}, workbook, Totals`]: async (shop) => {
      const { sheets, err } = await workbookOf(shop, `${list(shop)} --layout ${layout}`);
      const { answer, notes } = totalsIn(sheets);
      // stderr and the sheet say the same.
      return { answer, notes: err.includes('leaves out') ? notes : `${notes}${err}` };
    },
  };
}

/** `1,234.50 USD, 20.00 EUR` as cents by currency. */
function byCurrency(text: string | undefined): Readonly<Record<string, number>> {
  const found = (text ?? '').matchAll(/(-?[\d,.]+) ([A-Z]{3})/g);
  return withoutZeros(
    Object.fromEntries([...found].map(([, amount = '', name = '']) => [name, dollars(amount)])),
  );
}

function ofGroups(by: string): Readonly<Record<string, Way>> {
  const rows = ({ csv, period }: Shop) => csv(`summary --period ${period} --by ${by} --totals`);
  const add = by === 'product' ? amountsOf : sumOf;
  const total = (some: readonly Row[]) => figuresOf(some.at(-1) ?? {});
  return {
    [`summary --by ${by}, rows`]: async (shop) => ({
      answer: add((await rows(shop)).slice(0, -1)),
    }),
    [`summary --by ${by}, TOTAL`]: async (shop) => ({ answer: total(await rows(shop)) }),
  };
}

/** A table of the report. */
function ofTable(id: string): Way {
  return async ({ run, period }) => {
    const rows = tableIn(await run(`quickstats report --period ${period}`), id).slice(1);
    const nets = rows.map((row) => dollars(row.at(-1) ?? 'none'));
    const total = nets.pop() ?? 0;
    // An affiliate has no table of affiliates.
    if (rows.length === 0) return { answer: {} };
    const sum = nets.reduce((all, net) => all + net, 0);
    return { answer: { net: sum === total ? total : Number.NaN } };
  };
}

const ofMetric =
  (name: string, add: (rows: readonly Row[]) => Answer): Way =>
  async ({ all, period }) => {
    const { out, err } = await all(`metrics ${name} --period ${period} -o json`);
    return { answer: add(JSON.parse(out)), notes: err };
  };

/** The summary that an agent reads. */
const ofAgent =
  (by: string, add: (rows: readonly Row[]) => Answer): Way =>
  async (shop) => {
    const days = { startDate: shop.first, endDate: shop.last };
    return { answer: add(await rowsOfTool(shop, 'summary', { ...days, by })) };
  };

const groups = ['day', 'product', 'affiliate', 'tracking-id', 'country', 'currency'];

/** The rows of a table of the report, as texts. */
export function tableIn(html: string, id: string): string[][] {
  const [, table = ''] = new RegExp(`<table id="${id}">(.*?)</table>`, 's').exec(html) ?? [];
  return [...table.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => cell),
  );
}

/** The question of a page that begins with these words, limited to the month. */
function written({ first }: Shop, page: string, start: string): string {
  const text = readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8');
  const from = text.slice(text.indexOf(start) + start.indexOf('select') - 1);
  const query = from.split(from[0] ?? '')[1]?.replaceAll(/\s+/g, ' ') ?? '';
  const of = (word: string) => ` ${word} month = '${first}'`;
  const limited = query.includes(' where ')
    ? query.replace(' where ', `${of('where')} and `)
    : query.replace(' group by ', `${of('where')} group by `);
  return limited.replace(/ limit \d+$/, '');
}

async function asked({ json, folder }: Shop, query: string) {
  const file = join(folder, `query-${query.length}.sql`);
  writeFileSync(file, query);
  const rows: Row[] = await json(`sql --file ${file}`);
  return { rows, sum: (name: string) => rows.reduce((all, row) => all + cents(row[name]), 0) };
}

/** All rows that a tool returns in parts. */
async function rowsOfTool({ agent }: Shop, tool: string, args: Row): Promise<Row[]> {
  const found: Row[] = [];
  for (let cursor: unknown, part = 0; part === 0 || cursor !== undefined; part++) {
    const { data } = await (await agent()).call(tool, {
      ...args,
      limit: 100,
      ...(part && { cursor }),
    });
    found.push(...(data.rows as readonly Row[]));
    cursor = data.next;
  }
  return found;
}

/** A key without own affiliates gets the same rows for both roles. */
function distinct(orders: readonly Order[]): Order[] {
  const id = (one: Order) =>
    `${one.receipt} ${one.transactionType} ${one.transactionTime} ${one.role}`;
  return [...new Map(orders.map((one) => [id(one), one])).values()];
}

/** What the tool says an order earns, as an order. */
function toolOrder(row: Row): Order {
  return { ...(row as unknown as Order), lineItemData: { accountAmount: row.youEarnUsd } };
}

/** These answer for any days. */
export const waysOfDays: Readonly<Record<string, Way>> = {
  'orders list, last line on a terminal': async (shop) => {
    const { out, err } = await shop.all(list(shop), { columns: 4000 });
    const text = out.trimEnd().split('\n').at(-1) ?? '';
    const [, earned = '0'] = /you earn (-?[\d,.]+) USD/.exec(text) ?? [];
    const after = (label: string) => new RegExp(`${label} ([^;(]*)`).exec(text)?.[1];
    const amounts = {
      paid: byCurrency(after('customers paid')),
      paidBack: byCurrency(after('paid back')),
    };
    return { answer: { net: dollars(earned), ...amounts }, notes: err };
  },
  'orders list -o json': async (shop) => {
    const { out, err } = await shop.all(`${list(shop)} -o json`);
    return { answer: addUp(partsOf(JSON.parse(out))), notes: err };
  },
  'orders list -o json, with the list that its note names': async (shop) => {
    const { out, err } = await shop.all(`${list(shop)} -o json`);
    const other = err.includes('leaves out what') ? `${list(shop)} --role AFFILIATE -o json` : '';
    const orders = [...JSON.parse(out), ...(other ? JSON.parse(await shop.run(other)) : [])];
    return { answer: addUp(partsOf(distinct(orders))) };
  },
  'summary -o json': async ({ json, period }) => ({
    answer: figuresOf((await json(`summary --period ${period}`)).totals),
  }),
  'quickstats count': async ({ json, period }) => ({
    answer: quickstatsOf(await json(`quickstats count --period ${period}`)),
  }),
  'agents: summary': async ({ agent, first, last }) => {
    const { data } = await (await agent()).call('summary', { startDate: first, endDate: last });
    return { answer: figuresOf(data.totals as Row) };
  },
};

export const today: Way = async ({ json }) => ({ answer: figuresOf((await json('today')).totals) });

/** These answer for a month. */
export const ways: Readonly<Record<string, Way>> = {
  ...waysOfDays,
  ...Object.assign({}, ...Object.entries(layouts).map(([name, of]) => ofLayout(name, of))),
  ...Object.assign({}, ...groups.map(ofGroups)),
  'check, accounts with refunds and chargebacks': async ({ all, period }) => {
    const limits = '--refund-rate 0.01% --chargeback-rate 0.01% --min-sales 1';
    const { out } = await all(`check --period ${period} ${limits} -o json`, { code: 9 });
    const { refunds, chargebacks } = sumOf(JSON.parse(out));
    return { answer: { refunds, chargebacks }, counts: 'eachRole' };
  },
  'quickstats list': async ({ json, period }) => ({
    answer: quickstatsOf(await json(`quickstats list --period ${period}`)),
  }),
  'quickstats report, headline': async ({ run, period }) => {
    const html = await run(`quickstats report --period ${period}`);
    const card = (kind: string) =>
      new RegExp(`class="${kind}"><dt>.*?</dt><dd class="figure">(.*?)<.*?</div>`, 's').exec(html);
    const amount = (kind: string) => dollars(card(kind)?.[1] ?? 'none');
    const count = (kind: string, noun: string) => {
      const text = new RegExp(`([\\d,]+) ${noun}`).exec(card(kind)?.[0] ?? '')?.[1];
      return Number(text?.replaceAll(',', ''));
    };
    return {
      answer: {
        ...{ earned: amount('sale'), refunded: amount('refund') },
        ...{ chargedBack: amount('chargeback'), net: amount('net') },
        ...{ sales: count('sale', 'sale'), rebills: count('sale', 'rebill') },
        ...{ refunds: count('refund', 'refund') },
        chargebacks: count('chargeback', 'chargeback'),
      },
    };
  },
  'quickstats report, products': ofTable('products'),
  'quickstats report, affiliates': ofTable('affiliates'),
  'export month, on a terminal': async (shop) => {
    const line = `export month ${shop.period} --out month.xlsx`;
    const { err: text } = await shop.all(line, { columns: 120 });
    const amount = (name: string) =>
      dollars(new RegExp(`^ +${name} +[\\d,]+ +(-?[\\d,.]+) USD`, 'm').exec(text)?.[1] ?? 'none');
    const count = (name: string) =>
      Number(new RegExp(`^ +${name} +([\\d,]+)`, 'm').exec(text)?.[1]?.replaceAll(',', ''));
    return { answer: figuresOfMonth(amount, count) };
  },
  'export month, Summary': async (shop) => {
    const rows = await sheetsOfMonth(shop, 'Summary');
    const of = (name: string) => rows.find(({ item }) => item === `${name}, all currencies`);
    const amount = (name: string) => cents(of(name)?.youEarn);
    const count = (name: string) => Number(of(name)?.count);
    const paid = (...names: string[]) => {
      const some = rows.filter(({ item = '', currency }) => names.includes(item) && currency);
      const parts = some.map(({ currency = '', customersPaid }) => ({
        ...{ kind: 'sale', earned: 0, currency, paid: cents(customersPaid) },
      }));
      return addUp(parts).paid;
    };
    const amounts = { paid: paid('Sales', 'Rebills'), paidNet: paid('Net') };
    return { answer: { ...figuresOfMonth(amount, count), ...amounts } };
  },
  'export month, Transactions': async (shop) => ({
    answer: addUp((await sheetsOfMonth(shop, 'Transactions')).map(layouts.accounting)),
  }),
  'export month, Refunds and Chargebacks': async (shop) => {
    const rows = await sheetsOfMonth(shop, 'Refunds', 'Chargebacks');
    const added = addUp(rows.map(layouts.accounting));
    const { refunded, chargedBack, refunds, chargebacks, paidBack } = added;
    return { answer: { refunded, chargedBack, refunds, chargebacks, paidBack } };
  },
  'export month, Line items': async (shop) => {
    const added = addUp((await sheetsOfMonth(shop, 'Line items')).map(layouts.items));
    const { earned, refunded, chargedBack, net, sold } = added;
    return { answer: { earned, refunded, chargedBack, net, sold } };
  },
  'cb sql, as README writes it': async (shop) => {
    const query = written(shop, 'README.md', 'cb sync && cb sql "select affiliate,');
    const { sum } = await asked(shop, query);
    return { answer: { sales: sum('sales') / 100, sold: sum('earned') } };
  },
  'cb sql, by day, as the guide writes it': async (shop) => {
    const { sum } = await asked(shop, written(shop, 'docs/guide/sql.md', "cb sql 'select day,"));
    return { answer: { transactions: sum('transactions') / 100, net: sum('net') } };
  },
  'cb sql, by month and currency, as the guide writes it': async (shop) => {
    const query = written(shop, 'docs/guide/sql.md', 'cb sql "select month, currency,');
    const { rows, sum } = await asked(shop, query);
    const paid = rows.map((row) => [row.currency, cents(row.customers_paid)]);
    return {
      answer: {
        ...{ earned: sum('earned'), refunded: sum('refunded'), chargedBack: sum('charged_back') },
        ...{ net: sum('net'), paid: withoutZeros(Object.fromEntries(paid)) },
      },
    };
  },
  'cb sql, by product, as the guide writes it': async (shop) => {
    const query = written(shop, 'docs/guide/sql.md', 'cb sql "select product,');
    const { sum } = await asked(shop, query);
    return { answer: { earned: sum('earned'), net: sum('net') } };
  },
  'cb metrics payments': async ({ csv, period }) => {
    const rows = await csv(`metrics payments --period ${period}`);
    // The view has one row for each transaction.
    const count = (type: string) => rows.filter((row) => row.transaction_type === type).length;
    const counts = { sales: count('SALE'), rebills: count('BILL') };
    const returns = { refunds: count('RFND'), chargebacks: count('CGBK') };
    return { answer: { ...amountsOf(rows), ...counts, ...returns } };
  },
  'cb metrics sales-by-day-and-product': ofMetric('sales-by-day-and-product', amountsOf),
  'cb metrics rates-by-affiliate': ofMetric('rates-by-affiliate', sumOf),
  'cb metrics rates-by-month-of-sale': ofMetric('rates-by-month-of-sale', (rows) => {
    const { sales, rebills } = sumOf(rows);
    return { sales, rebills };
  }),
  'cb metrics earnings-by-tracking-id': async (shop) => {
    const told = await ofMetric('earnings-by-tracking-id', sumOf)(shop);
    expect(told.notes).toContain('Sales are without upsells');
    const { net, rebills, refunds, chargebacks } = told.answer;
    return { ...told, answer: { net, rebills, refunds, chargebacks } };
  },
  'library: quickstats.list': async ({ sandbox, key, first, last }) => {
    const client = createClient({ baseUrl: sandbox.url, apiKey: key });
    const rows = await client.quickstats.list({ startDate: first, endDate: last }).toArray();
    await client.close();
    return { answer: quickstatsOf(rows as unknown as readonly Row[]) };
  },
  'agents: find_orders, both roles': async (shop) => {
    const { first: startDate, last: endDate, json } = shop;
    const own = (await json('quickstats accounts')).map((row: Row) => row.nickName);
    const rows = await rowsOfTool(shop, 'find_orders', { startDate, endDate });
    const asAffiliate = { startDate, endDate, role: 'AFFILIATE' };
    const referred = await rowsOfTool(shop, 'find_orders', asAffiliate);
    const shares = referred.filter(({ vendor }) => own.includes(vendor));
    return { answer: addUp(partsOf(distinct([...rows, ...shares].map(toolOrder)))) };
  },
  'agents: summary by product': ofAgent('product', amountsOf),
  'agents: summary by affiliate': ofAgent('affiliate', sumOf),
  'agents: metrics rates_by_affiliate': async ({ agent, first, last }) => {
    const asked = { metric: 'rates_by_affiliate', startDate: first, endDate: last, limit: 100 };
    const { data, text } = await (await agent()).call('metrics', asked);
    return { answer: sumOf(data.rows as readonly Row[]), notes: text };
  },
  'agents: query_copy': async ({ agent, first }) => {
    const sums = ['earned', 'refunded', 'charged_back', 'net'].map((name) => `sum(${name})`);
    const sql = `SELECT ${sums.join(', ')}, count(*) FROM payments WHERE month = '${first}'`;
    const { data } = await (await agent()).call('query_copy', { sql });
    const [row = []] = data.rows as readonly (readonly unknown[])[];
    const [earned = 0, refunded = 0, chargedBack = 0, net = 0] = row.slice(0, 4).map(cents);
    return { answer: { earned, refunded, chargedBack, net, transactions: Number(row[4]) } };
  },
  'library: orders.list, both roles': async ({ sandbox, key, first, last }) => {
    const client = createClient({ baseUrl: sandbox.url, apiKey: key });
    const days = { startDate: first, endDate: last };
    const own = (await client.quickstats.accounts().toArray()).map(({ nickName }) => nickName);
    const found: Order[] = [];
    for await (const row of client.orders.list(days)) found.push(row as unknown as Order);
    for await (const row of client.orders.list({ ...days, role: 'AFFILIATE' })) {
      if (own.includes(row.vendor ?? '')) found.push(row as unknown as Order);
    }
    await client.close();
    return { answer: addUp(partsOf(distinct(found))) };
  },
};
