/** A separate sandbox for each test, used over plain HTTP with literal paths, without the client. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { type Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, expect, onTestFinished } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/http/server.ts';
import { copySeed } from '../support/seeds.ts';

/** Noon on a Wednesday in Los Angeles, ten days after the change to daylight time. */
export const NOON = new Date('2026-03-18T19:00:00Z');
export const TODAY = '2026-03-18';
export const DAY = 86_400;

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  readonly text: string;
}

/**
 * A copy of a seed, unless the options name a clock or a file that exists, or watch the seeding. Orders have the amounts of
 * the customer unless the seed says otherwise, so that all sums agree to the cent.
 */
export async function start(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const seed = { orderAmounts: 'customer', ...(options.seed ?? { orders: 60 }) } as const;
  if (options.now || options.onSeed || (options.file && existsSync(options.file))) {
    return startSandbox({ file: ':memory:', now: () => NOON, ...options, seed });
  }
  const folder = mkdtempSync(join(process.env.CB_TEST_RUN ?? tmpdir(), 'cb-sandbox-'));
  const file = options.file ?? join(folder, 'sandbox.sqlite');
  await copySeed(file, seed, NOON);
  const sandbox = await startSandbox({ ...options, file, now: () => NOON, seed });
  const close = async () => {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...sandbox, close };
}

/** Few orders, in memory, closed when the test ends. */
export async function openSandbox(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const sandbox = await start(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/**
 * `sandbox` has few orders and belongs to one test. `seeded` and `large` have 1,500 and 5,000
 * transactions and are shared by the tests of a file, which only read them; `orders` are those of `seeded`.
 */
export const test = base
  .extend('sandbox', () => openSandbox())
  .extend('sizes', { scope: 'file' }, () => ({ lived: 600, seeded: 1500, large: 5000 }))
  .extend('seeded', { scope: 'file' }, ({ sizes }, { onCleanup }) =>
    shared(sizes.seeded, onCleanup),
  )
  .extend('large', { scope: 'file' }, ({ sizes }, { onCleanup }) => shared(sizes.large, onCleanup))
  .extend('orders', { scope: 'file' }, ({ seeded }) => listAll(seeded, ''));

async function shared(
  orders: number,
  onCleanup: (close: () => Promise<void>) => void,
): Promise<Sandbox> {
  const sandbox = await start({ seed: { orders } });
  onCleanup(() => sandbox.close());
  return sandbox;
}

type Place = Pick<Sandbox, 'url' | 'keys'>;

export function keyOf(sandbox: Place, name: string): string {
  const found = sandbox.keys.find((key) => key.name === name);
  if (!found) throw new Error(`no key ${name}`);
  return found.key;
}

/** Headers with the key of this name. */
export const keyed = (sandbox: Place, name: string) => ({ Authorization: keyOf(sandbox, name) });

type Headers = Readonly<Record<string, string>>;

/** Sends exactly these headers, plus the full key unless there is an Authorization header. */
export function ask(
  sandbox: Place,
  method: string,
  path: string,
  sentHeaders: Headers = {},
  agent?: Agent,
): Promise<RawResponse> {
  const headers = { Authorization: keyOf(sandbox, 'full'), ...sentHeaders };
  return new Promise((resolve, reject) => {
    const sent = request(`${sandbox.url}${path}`, { method, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject).on('end', () => {
        const bytes = Buffer.concat(chunks);
        const { statusCode: status = 0, headers: got } = response;
        resolve({ status, headers: got, bytes, text: bytes.toString() });
      });
    });
    sent.on('error', reject).end();
  });
}

const ACCEPT_JSON = { Accept: 'application/json' };

export const getJson = (sandbox: Sandbox, path: string, headers: Headers = {}) =>
  ask(sandbox, 'GET', path, { ...ACCEPT_JSON, ...headers });

export const post = (sandbox: Sandbox, path: string, headers: Headers = {}) =>
  ask(sandbox, 'POST', path, { ...ACCEPT_JSON, ...headers });

/** The text of a template. */
export function textOf(strings: TemplateStringsArray, values: readonly unknown[]): string {
  return String.raw({ raw: strings }, ...values);
}

/**
 * Sends the requests of a table one after the other and compares the responses. A line is the method, the path below
 * `/rest/1.3/`, the expected status, and optionally a part of the text; the name of a key and a colon may come first.
 */
export function expectAnswers(sandbox: Sandbox, headers: Headers = {}) {
  return async (table: TemplateStringsArray, ...values: readonly unknown[]): Promise<void> => {
    for (const line of textOf(table, values).trim().split('\n')) {
      const [, key = 'full', method = '', path = '', status, says = ''] =
        /^(?:([\w-]+): )?(\S+)\s+(\S+)\s+(\d{3})(?:\s+(\S.*))?$/.exec(line.trim()) ?? [];
      if (status === undefined) throw new Error(`Not a request with its answer: ${line}`);
      const sent = { ...ACCEPT_JSON, ...keyed(sandbox, key), ...headers };
      const response = await ask(sandbox, method, `/rest/1.3/${path}`, sent);
      expect([line, response.status, response.text]).toEqual([
        ...[line, Number(status), expect.stringContaining(says)],
      ]);
      const isRefusal = response.status >= 400 && method !== 'HEAD';
      // A sentence in plain text, regardless of Accept.
      if (isRefusal) expect(response.headers['content-type']).toMatch(/^text\/plain/);
      if (response.status === 204) expect(response.text).toBe('');
    }
  };
}

/** A bare connection, closed when the test ends; the server may close it first. */
export function socketTo({ url }: Pick<Sandbox, 'url'>): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined).resume();
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Everything that the server sends in return for bytes until it closes or resets the connection. */
export async function sendBytes(place: Pick<Sandbox, 'url'>, bytes: string): Promise<string> {
  const socket = socketTo(place);
  let got = '';
  socket.on('data', (chunk) => {
    got += chunk;
  });
  socket.write(bytes, 'latin1');
  await new Promise<void>((closed) => socket.on('close', () => closed()));
  return got;
}

export type Json = Readonly<Record<string, unknown>>;

export const isNil = (value: unknown) => JSON.stringify(value) === '{"@nil":"true"}';
export const cents = (amount: unknown) => Math.round(Number(amount) * 100);
/** Pacific, of a time in a response. */
export const dayOf = (time: unknown) => String(time).slice(0, 10);

/** The elements of a list in JSON: nothing, one bare element, or several. */
export function listed<T = Json>(value: unknown): T[] {
  return value === null || value === undefined ? [] : ([value].flat() as T[]);
}

/** The rows in the body of a list. */
export function rowsIn({ text }: RawResponse): Json[] {
  return Object.values(JSON.parse(text) ?? {}).flatMap((rows) => listed<Json>(rows));
}

/** The responses for all pages of a list; `path` is below `/rest/1.3/`. */
export async function pagesOf(sandbox: Sandbox, path: string, headers: Headers = {}) {
  const pages: RawResponse[] = [];
  do {
    const sent = { Page: `${pages.length + 1}`, ...headers };
    pages.push(await getJson(sandbox, `/rest/1.3/${path}`, sent));
  } while (pages.at(-1)?.status === 206);
  return pages;
}

/** Every row of a list, page by page. */
export async function rowsAt(sandbox: Sandbox, path: string, headers: Headers = {}) {
  return (await pagesOf(sandbox, path, headers)).flatMap(rowsIn);
}

/** A count; `path` is below `/rest/1.3/`. */
export async function countAt(sandbox: Sandbox, path: string, headers: Headers = {}) {
  return Number((await getJson(sandbox, `/rest/1.3/${path}`, headers)).text);
}

export const ofType = (rows: readonly Json[], ...types: string[]) =>
  rows.filter(({ transactionType }) => types.includes(String(transactionType)));

export const linesIn = (order: Json | undefined): Json[] => listed(order?.lineItemData);

/** The transactions of a receipt. */
export function ordersOf(sandbox: Sandbox, receipt: string): Promise<Json[]> {
  return rowsAt(sandbox, `orders2/${receipt}`);
}

/** The first line item of the sale. */
export async function lineOf(sandbox: Sandbox, receipt: string): Promise<Json> {
  const [sale] = await ordersOf(sandbox, receipt);
  const [line] = linesIn(sale);
  if (!line) throw new Error(`no line item in ${receipt}`);
  return line;
}

export function countOf(sandbox: Sandbox, query: string, headers: Headers = {}) {
  return countAt(sandbox, `orders2/count?startDate=2025-01-01&${query}`, headers);
}

/** Every row of a search. */
export function listAll(sandbox: Sandbox, query: string, headers: Headers = {}) {
  const path = `orders2/list?startDate=2025-01-01&endDate=2027-12-31&${query}`;
  return rowsAt(sandbox, path, headers);
}

/** All data of the service about orders, tickets, figures, and subscriptions. */
export async function everything(sandbox: Sandbox) {
  const paths = [
    `quickstats/list?startDate=2025-01-01&endDate=2027-12-31`,
    `analytics/VENDOR/TRACKING_ID?account=GREENLEAF&startDate=2025-01-01&endDate=2027-12-31`,
    `analytics/AFFILIATE/VENDOR?account=TOPAFF1&startDate=2025-01-01&endDate=2027-12-31`,
    'analytics/VENDOR/subscription/details?account=GREENLEAF',
    'tickets/list',
    'shipping2/list?days=365',
  ];
  const responses = [];
  for (const path of paths) responses.push((await getJson(sandbox, `/rest/1.3/${path}`)).text);
  return { orders: await listAll(sandbox, ''), responses };
}

export function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}
