/** A shop whose key asks cb about some days. */
import { parse } from 'csv-parse/sync';
import { expect, onTestFinished } from 'vitest';
import { startSandbox } from '../../../src/sandbox/http/server.ts';
import { type Agent, startAgent } from '../../support/agent.ts';
import { home, now, type Ran } from '../../support/cb.ts';

export type Row = Readonly<Record<string, unknown>>;

export type Texts = Readonly<Record<string, string>>;

export interface Days {
  /** As typed after `--period`. */
  readonly period: string;
  readonly first: string;
  readonly last: string;
}

/** It is open until the test ends. */
export async function openShop(randomSeed: number, keyName: string, orders = 700) {
  const seed = { orders, randomSeed };
  const sandbox = await startSandbox({ file: ':memory:', now: () => now, seed });
  onTestFinished(() => sandbox.close());
  const envOf = (name: string) => {
    const key = sandbox.keys.find((one) => one.name === name)?.key ?? '';
    return { CB_BASE_URL: sandbox.url, CB_API_KEY: key };
  };
  const env = envOf(keyName);
  const { cb, folder } = home();
  const ran = new Map<string, Promise<Ran>>();
  /** Runs each line once: several ways read the same output. */
  const all = async (line: string, options: { columns?: number; code?: number } = {}) => {
    const { columns, code = 0 } = options;
    const id = `${columns} ${line}`;
    const running = ran.get(id) ?? cb(line, { env, ...(columns && { columns }) });
    ran.set(id, running);
    const result = await running;
    expect({ line, ...result }).toMatchObject({ code });
    return result;
  };
  let started: Promise<Agent> | undefined;
  const agent = () => {
    started ??= startAgent({ env, folder });
    return started;
  };
  const run = async (line: string, columns?: number) =>
    (await all(line, { ...(columns && { columns }) })).out;
  const json = async (line: string) => JSON.parse(await run(`${line} -o json`));
  /** Asks with another key. */
  const jsonAs = async (name: string, line: string) => {
    const { code, out, err } = await cb(`${line} -o json`, { env: envOf(name) });
    expect({ line, code, err }).toMatchObject({ code: 0 });
    return JSON.parse(out);
  };
  const csv = async (line: string): Promise<Texts[]> =>
    parse(await run(`${line} -o csv`), { columns: true });
  /** Syncs this night, and moves the service on to the next. */
  const night = async () => {
    expect(await cb('sync', { env })).toMatchObject({ code: 0 });
    await sandbox.advance(86_400);
  };
  return { sandbox, key: env.CB_API_KEY, folder, all, run, json, jsonAs, csv, agent, night };
}

interface Identity {
  readonly receipt: string;
  readonly transactionType: string;
  readonly transactionTime: string;
  readonly role: string;
}

/** All shares of the accounts of a key: as vendor, and as affiliate also in what another of them sold. */
export async function sharesOf<Order extends Identity>(
  json: (line: string) => Promise<readonly Order[]>,
  days: string,
): Promise<readonly Order[]> {
  const idOf = (one: Order) => [one.receipt, one.transactionType, one.transactionTime].join();
  const all = await json(`orders list ${days}`);
  const seen = new Set(all.filter(({ role }) => role === 'AFFILIATE').map(idOf));
  const referred = await json(`orders list ${days} --role AFFILIATE`);
  return [...all, ...referred.filter((one) => !seen.has(idOf(one)))];
}

export type Shop = Awaited<ReturnType<typeof openShop>> & Days;
