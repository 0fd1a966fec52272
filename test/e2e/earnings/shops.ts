/** A shop whose key asks cb about some days. */
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { type Agent, startAgent } from '../../support/agent.ts';
import type { Ran } from '../../support/cb.ts';
import { jsonOf, servedShop } from '../../support/sandbox.ts';
import { type Order, withReferred } from './answers.ts';

export type Texts = Readonly<Record<string, string>>;

export interface Days {
  /** As typed after `--period`. */
  readonly period: string;
  readonly first: string;
  readonly last: string;
}

/** Open until the test ends. */
export async function openShop(randomSeed: number, keyName: string, orders = 700) {
  const at = await servedShop({ orders, randomSeed, keyName });
  const { sandbox, key, keyOf, env, folder, cb } = at;
  const ran = new Map<string, Promise<Ran>>();
  /** Runs each line once: several ways read the same output. */
  const all = async (line: string, options: { columns?: number; code?: number } = {}) => {
    const { columns, code = 0 } = options;
    const id = `${columns} ${line}`;
    const running = ran.get(id) ?? cb(line, columns ? { columns } : {});
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
  const run = async (line: string) => (await all(line)).out;
  const json = async (line: string) => JSON.parse(await run(`${line} -o json`));
  /** Asks with another key. */
  const jsonAs = (name: string, line: string) =>
    jsonOf(at, line, { env: { CB_API_KEY: keyOf(name) } });
  const csv = async (line: string): Promise<Texts[]> =>
    parse(await run(`${line} -o csv`), { columns: true });
  /** Syncs this night, and moves the service on to the next. */
  const night = async () => {
    expect(await cb('sync')).toMatchObject({ code: 0 });
    await sandbox.advance(86_400);
  };
  return { sandbox, key, folder, all, run, json, jsonAs, csv, agent, night };
}

/** All shares of the accounts of a key. */
export async function sharesOf<One extends Order>(
  json: (line: string) => Promise<readonly One[]>,
  days: string,
): Promise<readonly One[]> {
  const line = `orders list ${days}`;
  return withReferred(await json(line), await json(`${line} --role AFFILIATE`));
}

export type Shop = Awaited<ReturnType<typeof openShop>> & Days;
