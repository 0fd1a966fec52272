/**
 * Eight tasks of an agent, by the text of the results alone and by their structured content alone: both lead to the same
 * answer, with the same few calls. CB_TASKS names a file for the table of calls and tokens.
 */
import { appendFileSync } from 'node:fs';
import { encode } from 'gpt-tokenizer';
import { describe, expect, test } from 'vitest';
import { type Agent, startAgent } from '../../support/agent.ts';
import { serveSandbox } from '../../support/sandbox.ts';

type Row = Readonly<Record<string, string>>;

/** What a model can know from a result. */
interface Seen {
  /** The sentence with which it begins. */
  readonly sentence: string;
  /** The rows of the table whose first column has this name. */
  rows(firstColumn: string): readonly Row[];
  readonly cursor: string | undefined;
}

type Call = (tool: string, args?: Readonly<Record<string, unknown>>) => Promise<Seen>;

const firstColumns = ['figure', 'receipt', 'name', 'ticketid', 'date', 'action'];

/** Only the text, as a model reads it. */
function byText(text: string): Seen {
  const tables = new Map<string, Row[]>();
  let names: readonly string[] = [];
  const lines = text.split('\n');
  for (const cells of lines.map((line) => line.split('\t'))) {
    const [first = ''] = cells;
    if (cells.length < 2) names = [];
    else if (firstColumns.includes(first)) {
      names = cells.map((name) => name.replace(/ \(.*/, ''));
      tables.set(first, tables.get(first) ?? []);
    } else if (names[0] !== undefined) {
      // An empty cell is a field that the row does not have.
      const given = names.map((name, i) => [name, cells[i] ?? ''] as const);
      const row = Object.fromEntries(given.filter(([, value]) => value !== ''));
      tables.get(names[0])?.push(row);
    }
  }
  return {
    sentence: lines[0] ?? '',
    rows: (name) => tables.get(name) ?? [],
    cursor: /pass cursor "([^"]+)"/.exec(lines[0] ?? '')?.[1],
  };
}

type Data = Readonly<Record<string, unknown>>;

/** Only the structured content. */
function byStructure(data: Data): Seen {
  const rowsOf = (name: string): readonly unknown[] => {
    if (name === 'figure') return figuresOf(data);
    if (name === 'ticketid') return [data.tickets ?? data.ticket ?? data.rows ?? []].flat();
    if (name === 'date') return [data.comments ?? []].flat();
    if (name === 'action') return [data.actions ?? []].flat();
    return [data.rows ?? data.order ?? []].flat();
  };
  return {
    sentence: String(data.summary),
    rows: (name) => rowsOf(name).map((row) => texts(row as Data)),
    cursor: data.next as string | undefined,
  };
}

function figuresOf({ totals, compared, previous, changePercent }: Data): Data[] {
  const sides = { period: totals, compared, previous, changePercent } as Record<string, Data>;
  return Object.keys(totals as Data).map((figure) => ({
    figure,
    ...Object.fromEntries(Object.entries(sides).map(([side, its]) => [side, its?.[figure]])),
  }));
}

/** Figures of analytics are an object of their own. */
function texts({ figures, ...row }: Data): Row {
  const all = { ...row, ...(figures as Data | undefined) };
  const known = Object.entries(all).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known.map(([name, value]) => [name, String(value)]));
}

function figure(seen: Seen, name: string): Row {
  return seen.rows('figure').find((row) => row.figure === name) ?? {};
}

function most(rows: readonly Row[], value: (row: Row) => number): string {
  const [first] = rows.toSorted((one, other) => value(other) - value(one));
  return `${first?.name}: ${first && value(first)}`;
}

const moreRefunds = (row: Row) => Number(row.refunds) - Number(row.previousRefunds);

/** Each is done as the prompts and descriptions of the server suggest. */
const tasks: Readonly<Record<string, (call: Call) => Promise<unknown>>> = {
  'why refunds rose': async (call) => {
    const days = { startDate: 'last-month', compare: 'month-before' };
    const groups: Record<string, string> = {};
    let refunds: Row = {};
    for (const by of ['product', 'affiliate', 'country']) {
      const seen = await call('summary', { ...days, by });
      refunds = figure(seen, 'refunds');
      groups[by] = most(seen.rows('name'), moreRefunds);
    }
    const tickets = await call('list_tickets', {
      ...{ type: ['rfnd'], createDateFrom: 'last-month', limit: 100 },
    });
    const reasons = tickets.rows('ticketid').map(({ description }) => description);
    return { refunds, groups, reasons: reasons.sort() };
  },
  'prepare a refund': async (call) => {
    const found = await call('find_orders', { customer: 'ada.sample@example.com' });
    const sale = found.rows('receipt').find(({ receipt }) => receipt === 'DIGITAL1');
    const timeline = await call('order_timeline', { receipt: sale?.receipt });
    const payment = timeline.rows('receipt').find(({ refund }) => refund === 'possible');
    const planned = await call('refund_order', {
      ...{ receipt: payment?.receipt, reason: 'ticket.type.refund.2', refundType: 'FULL' },
    });
    const { totalOrderAmount, currency } = payment ?? {};
    return { totalOrderAmount, currency, mustApprove: /`cb approve \S+`/.test(planned.sentence) };
  },
  'monthly report': async (call) => {
    const products = await call('summary', { startDate: 'last-month', by: 'product' });
    const affiliates = await call('summary', { startDate: 'last-month', by: 'affiliate' });
    return {
      figures: products.rows('figure').map(({ figure: name, period }) => [name, period]),
      best: [products, affiliates].map((seen) => most(seen.rows('name'), (row) => Number(row.net))),
      sentence: products.sentence.replace(/ By product.*/, ''),
    };
  },
  'which affiliate': async (call) => {
    const rows: Row[] = [];
    let cursor: string | undefined;
    do {
      const args = { startDate: '-89d', by: 'affiliate', limit: 10 };
      const seen = await call('summary', { ...args, ...(cursor && { cursor }) });
      rows.push(...seen.rows('name'));
      cursor = seen.cursor;
    } while (cursor);
    const sold = rows.filter(({ name, sales }) => Number(sales) >= 5 && name !== '(none)');
    return most(sold, ({ refundRatePercent }) => Number(refundRatePercent ?? 0));
  },
  'compare periods': async (call) => {
    const args = { startDate: '2026-03-01', endDate: 'today' };
    const month = await call('summary', { ...args, compare: 'month-before' });
    const week = await call('summary', { startDate: '2026-03-09', endDate: '2026-03-15' });
    return [month, week].map((seen) => ({
      sentence: seen.sentence,
      figures: ['earned', 'refunds', 'net'].map((name) => figure(seen, name)),
    }));
  },
  'a customer': async (call) => {
    const found = await call('find_orders', { customer: 'ada sample', startDate: '-1y' });
    const receipts = found.rows('receipt').map(({ receipt }) => receipt);
    const timeline = await call('order_timeline', { receipt: 'TICKET01' });
    const [opened] = timeline.rows('ticketid');
    const ticket = await call('get_ticket', { id: opened?.ticketid });
    const possible = ticket.rows('action').filter(({ whyNot }) => !whyNot);
    const said = ticket.rows('date').map(({ text }) => text);
    return { receipts, said, possible: possible.map(({ action }) => action), at: ticket.sentence };
  },
  'failing rebills': async (call) => {
    const failing: Row[] = [];
    for (const status of ['RETRY_PAYMENT', 'REQUEST_NEW_CARD']) {
      const seen = await call('subscription_state', { status, account: 'GREENLEAF', limit: 100 });
      failing.push(...seen.rows('receipt'));
    }
    return failing.map(({ receipt, subValue, currencyCode, email }) => {
      return [receipt, subValue, currencyCode, email];
    });
  },
  'tracking IDs': async (call) => {
    const days = { startDate: 'last-month' };
    const sold = await call('summary', { ...days, by: 'tracking-id', limit: 100 });
    const clicks = await call('analytics', {
      ...{ ...days, dimension: 'TRACKING_ID', account: 'GREENLEAF', limit: 100 },
    });
    const hops = clicks.rows('name').map(({ name, HOP_COUNT }) => [name, HOP_COUNT]);
    return { best: most(sold.rows('name'), ({ earned }) => Number(earned)), hops };
  },
};

const ways = {
  text: {
    tokens: ({ text }: { text: string }) => encode(text).length,
    seen: ({ text }: { text: string }) => byText(text),
  },
  structured: {
    tokens: ({ data }: { data: Data }) => encode(JSON.stringify(data)).length,
    seen: ({ data }: { data: Data }) => byStructure(data),
  },
};

async function perform(agent: Agent, task: string, way: keyof typeof ways) {
  const used = { calls: 0, tokens: 0 };
  const { tokens, seen } = ways[way];
  const answer = await tasks[task]?.(async (tool, args = {}) => {
    const result = await agent.call(tool, args);
    expect({ tool, text: result.text, isError: result.isError }).toMatchObject({ isError: false });
    used.calls += 1;
    used.tokens += tokens(result);
    return seen(result);
  });
  return { answer, ...used };
}

/** An answer with nothing in it would be equal in both ways. */
function isComplete(answer: unknown): boolean {
  if (Array.isArray(answer)) return answer.length > 0 && answer.every(isComplete);
  if (typeof answer !== 'object' || answer === null) {
    return !['', 'undefined', 'NaN'].includes(String(answer)) && !/undefined|NaN/.test(`${answer}`);
  }
  return Object.values(answer).length > 0 && Object.values(answer).every(isComplete);
}

describe.each(Object.keys(tasks))('%s', (task) => {
  test('is done by text alone and by structured content alone, with at most five calls', async () => {
    const { env } = await serveSandbox({ orders: 1000 });
    const agent = await startAgent({ env, args: ['--allow-writes'] });
    const text = await perform(agent, task, 'text');
    const structured = await perform(agent, task, 'structured');
    expect(text.answer).toEqual(structured.answer);
    expect({ answer: text.answer, isComplete: isComplete(text.answer) }).toMatchObject({
      isComplete: true,
    });
    expect(text.calls).toBe(structured.calls);
    expect(text.calls).toBeLessThanOrEqual(5);
    const line = [task, text.calls, text.tokens, structured.tokens].join(' | ');
    if (process.env.CB_TASKS) appendFileSync(process.env.CB_TASKS, `| ${line} |\n`);
  });
});
