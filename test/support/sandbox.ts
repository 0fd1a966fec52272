/** A served sandbox, for tests of clients and of the number of requests. */
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/http/server.ts';
import type { OrderAmounts } from '../../src/sandbox/store/store.ts';
import { type Home, home, now, type Options } from './cb.ts';
import { copySeed } from './seeds.ts';

/** Serves a sandbox with the time of the tests until the test ends. The default key has every role. */
export async function serveSandbox({
  orders = 60,
  keyName = 'full',
  orderAmounts = 'dollars' as OrderAmounts,
  /** Of other orders than the usual ones. */
  randomSeed = 1,
  at = () => now,
} = {}) {
  const seed = { orders, orderAmounts, randomSeed };
  const file = join(home().folder, 'served.sqlite');
  if (randomSeed === 1) await copySeed(file, seed);
  const sandbox = await startSandbox({ file, now: at, seed });
  onTestFinished(() => sandbox.close());
  const keyOf = (name: string) => sandbox.keys.find((one) => one.name === name)?.key ?? '';
  const key = keyOf(keyName);
  return {
    sandbox,
    key,
    keyOf,
    env: { CB_BASE_URL: sandbox.url, CB_API_KEY: key },
    /** All write requests. */
    writes: () => sandbox.requests.filter(({ method }) => method !== 'GET' && method !== 'HEAD'),
  };
}

/** A served sandbox, and a home whose cb uses it; `env` of a command is added to the environment. */
export async function servedShop(options: Parameters<typeof serveSandbox>[0] = {}) {
  const served = await serveSandbox(options);
  const made = home();
  const cb: Home['cb'] = (line, more: Options = {}) =>
    made.cb(line, { ...more, env: { ...served.env, ...more.env } });
  return { ...served, ...made, cb };
}

/** The rows that a command prints; it must succeed. */
export async function jsonOf({ cb }: Pick<Home, 'cb'>, line: string, options: Options = {}) {
  const { code, out, err } = await cb(`${line} -o json`, options);
  expect({ line, code, err }).toMatchObject({ code: 0 });
  return JSON.parse(out);
}

/** The same with the sandbox of a home. */
export const sandboxJson = (at: Home, line: string) => jsonOf(at, `--sandbox ${line}`);
