/** `cb sync --to singer`: messages for Singer targets. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../src/cli/runtime/run.ts';
import { shell } from '../../support/binary.ts';
import { home, now, sandboxHome, world } from '../../support/cb.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { conforms, type Message, messagesIn, recordsByKey } from '../../support/singer.ts';

const tables = '--tables orders,tickets,products';
const sync = `sync --to singer ${tables} --since 2025-10-01`;

async function served(orders = 200) {
  const { sandbox, env } = await serveSandbox({ orders });
  return { sandbox, env, ...home() };
}

const ofType = (messages: readonly Message[], type: Message['type']) =>
  messages.filter((one) => one.type === type);

test('writes a schema before the records of each stream, and records that conform to it', async () => {
  const { cb, env } = await served();
  const { code, out, err } = await cb(sync, { env });
  expect({ code, err }).toMatchObject({ code: 0 });
  const messages = messagesIn(out);
  const schemas = new Map<string, Message>();
  for (const message of messages) {
    if (message.type === 'SCHEMA') schemas.set(message.stream, message);
    if (message.type !== 'RECORD') continue;
    const schema = schemas.get(message.stream);
    expect({ stream: message.stream, problems: conforms(message, schema) }).toEqual({
      stream: message.stream,
      problems: [],
    });
  }
  expect([...schemas.keys()].sort()).toEqual([
    ...['order_items', 'orders', 'product_prices', 'products', 'sync_days', 'sync_reads'],
    ...['ticket_comments', 'tickets'],
  ]);
  expect(ofType(messages, 'SCHEMA')).toHaveLength(schemas.size);
});

test('writes the rows that ClickBank lists, with the digits as sent', async () => {
  const { cb, env } = await served();
  const { out } = await cb(sync, { env });
  const { out: list } = await cb(
    'orders list --start-date 2025-10-01 --end-date 2026-03-18 --role VENDOR -o ndjson',
    { env },
  );
  const listed = list.trim().split('\n');
  const written = [...recordsByKey(messagesIn(out)).values()].filter(
    ({ stream, record }) => stream === 'orders' && record.role === 'VENDOR',
  );
  expect(written.map(({ record }) => record.receipt).sort()).toEqual(
    listed.map((line) => JSON.parse(line).receipt).sort(),
  );
  const amounts = (text: string, name: string) =>
    [...text.matchAll(new RegExp(`"${name}":(-?[\\d.]+)`, 'g'))].map(([, digits]) => digits).sort();
  const own = out.split('\n').filter((line) => /"stream":"orders".*"role":"VENDOR"/.test(line));
  expect(amounts(own.join('\n'), 'total_order_amount')).toEqual(amounts(list, 'totalOrderAmount'));
});

test('resumes from the last state after each interruption, without a lost or stale row', async () => {
  const { cb, env, folder } = await served();
  const whole = recordsByKey(messagesIn((await cb(sync, { env })).out));
  const file = join(folder, 'state.json');
  let text = '';
  let runs = 0;
  for (let isDone = false; !isDone; runs += 1) {
    const state = runs === 0 ? '' : ` --state ${file}`;
    const { code, out, err } = await cb(`${sync} --max-requests 20${state}`, { env });
    expect({ code, err }).toMatchObject({ code: 0 });
    text += out;
    const last = ofType(messagesIn(out), 'STATE').at(-1);
    if (last?.type === 'STATE') writeFileSync(file, JSON.stringify(last.value));
    isDone = !err.includes('Stopped at --max-requests');
    expect(runs).toBeLessThan(30);
  }
  expect(runs).toBeGreaterThan(2);
  expect(recordsByKey(messagesIn(text))).toEqual(whole);
});

test('writes nothing of a window that was interrupted, and ends its output with a state', async () => {
  const { sandbox, env, folder, cb } = await served(600);
  const stop = new AbortController();
  const { context, stdout } = world(folder, { env, signal: stop.signal });
  const before = sandbox.requests.length;
  const ended = run(sync.split(' '), context);
  // Stops as soon as the second window is being read.
  while (sandbox.requests.length - before < 8) await new Promise(setImmediate);
  stop.abort(130);
  expect(await ended).toBe(130);
  const messages = messagesIn(stdout.text);
  const after = messages.findLastIndex(({ type }) => type === 'STATE');
  expect(messages.slice(after + 1)).toEqual([]);
  const file = join(folder, 'lines.txt');
  writeFileSync(file, after < 0 ? '' : stdout.text);
  const resumed = await cb(`${sync} --state ${file}`, { env });
  expect(resumed).toMatchObject({ code: 0 });
  const whole = await cb(sync, { env });
  expect(recordsByKey(messagesIn(stdout.text + resumed.out))).toEqual(
    recordsByKey(messagesIn(whole.out)),
  );
});

test('reads only what can have changed in the next run, and says which days it replaced', async () => {
  const { cb, env, folder, sandbox } = await served();
  const file = join(folder, 'state.json');
  const first = await cb(sync, { env });
  const requests = sandbox.requests.length;
  writeFileSync(file, first.out.trim().split('\n').at(-1) ?? '');
  const next = await cb(`${sync} --state ${file}`, { env });
  expect(next).toMatchObject({ code: 0 });
  expect(sandbox.requests.length - requests).toBeLessThan(requests / 2);
  const days = messagesIn(next.out).filter(
    (one) => one.type === 'RECORD' && one.stream === 'sync_days' && one.record.source === 'orders',
  );
  expect(days.map((one) => one.type === 'RECORD' && one.record.day).sort()).toEqual([
    '2026-03-17',
    '2026-03-18',
  ]);
});

test('leaves out personal data with the state of a run that did the same', async () => {
  const { cb, env, folder } = await served();
  const { out } = await cb(`${sync} --without-personal-data`, { env });
  expect(out).not.toContain('ada.sample@');
  expect(out).not.toContain('Ada');
  const file = join(folder, 'state.json');
  writeFileSync(file, out.trim().split('\n').at(-1) ?? '');
  expect(await cb(`${sync} --state ${file}`, { env })).toMatchObject({
    code: 3,
    out: '',
    err: expect.stringContaining('was written with --without-personal-data'),
  });
});

test('rejects states that it can not use, and options of databases', async () => {
  const { cb, env, folder } = await served(60);
  const file = join(folder, 'state.json');
  const state = { version: 1, service: 'https://api.clickbank.com', without_personal_data: false };
  const states: readonly (readonly [text: string, message: string])[] = [
    ['{}', 'The state is not one that cb sync has written.'],
    ['no JSON', 'The state is not one that cb sync has written.'],
    [JSON.stringify({ ...state, bookmarks: {} }), 'The state is of https://api.clickbank.com, not'],
  ];
  for (const [text, message] of states) {
    writeFileSync(file, text);
    const ran = await cb(`${sync} --state ${file}`, { env });
    expect(ran).toMatchObject({ code: 3, out: '', err: expect.stringContaining(message) });
  }
  for (const line of [
    'sync shop.db --to singer',
    'sync --to singer --every 15m',
    'sync --to singer --dry-run',
    'sync --to csv',
    `sync --to singer --state ${folder}/none.json`,
  ]) {
    expect({ line, ...(await cb(line, { env })) }).toMatchObject({ line, code: 2, out: '' });
  }
  expect(readFileSync(file, 'utf8')).toBe(states.at(-1)?.[0]);
});

test('continues with the built-in sandbox on the next day', async () => {
  const at = await sandboxHome(60);
  const first = await at.cb(`--sandbox ${sync}`);
  const file = join(at.folder, 'state.json');
  writeFileSync(file, first.out.trim().split('\n').at(-1) ?? '');
  const tomorrow = () => new Date(now.getTime() + 86_400_000);
  const next = await at.cb(`--sandbox ${sync} --state ${file}`, { now: tomorrow });
  expect(next).toMatchObject({ code: 0 });
  const days = messagesIn(next.out).flatMap((one) =>
    one.type === 'RECORD' && one.stream === 'sync_days' ? [one.record.day] : [],
  );
  expect(days).toContain('2026-03-19');
});

test('ends quietly when the target has ended', async () => {
  const { env } = await serveSandbox({ orders: 400 });
  const line = `set -o pipefail; cb ${sync} | head -n 1`;
  const { code, out, err } = await shell(line, { env }).ended();
  expect({ code, lines: out.split('\n').length, err }).toEqual({ code: 0, lines: 2, err: '' });
  expect(JSON.parse(out)).toMatchObject({ type: 'SCHEMA', stream: 'orders' });
});

test('reads all days again if the key reads more nicknames, and refuses one that reads fewer', async () => {
  const at = await sandboxHome(200);
  const file = join(at.folder, 'state.json');
  const keep = (out: string) => {
    const last = ofType(messagesIn(out), 'STATE').at(-1);
    if (last?.type === 'STATE') writeFileSync(file, JSON.stringify(last.value));
  };
  const whole = (out: string) => [...recordsByKey(messagesIn(out)).keys()].sort();
  keep((await at.cb(`--profile sandbox:vendor ${sync}`)).out);
  const more = await at.cb(`--sandbox ${sync} --state ${file}`);
  expect(more).toMatchObject({ code: 0 });
  expect(whole(more.out)).toEqual(whole((await at.cb(`--sandbox ${sync}`)).out));
  keep(more.out);
  const fewer = await at.cb(`--profile sandbox:vendor ${sync} --state ${file}`);
  expect(fewer).toMatchObject({ code: 3, out: '' });
  expect(fewer.err).toMatch(/The state has .*FITLAB24.*, which the API key can't read\./);
});
