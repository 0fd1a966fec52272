/** A sandbox over a real socket, for tests that are its client. */
import { onTestFinished } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/http/server.ts';
import { now } from './cb.ts';

export interface ServedSandbox {
  readonly sandbox: Sandbox;
  /** The environment that makes cb use it with the key that may do everything. */
  readonly env: Readonly<Record<string, string>>;
  /** The key of this name. */
  key(name: string): string;
}

/** Serves a sandbox of the tests' day until the test ends. */
export async function serveSandbox(orders = 60): Promise<ServedSandbox> {
  const sandbox = await startSandbox({ file: ':memory:', now: () => now, seed: { orders } });
  onTestFinished(() => sandbox.close());
  const key = (name: string) => sandbox.keys.find((one) => one.name === name)?.key ?? '';
  return { sandbox, key, env: { CB_BASE_URL: sandbox.url, CB_API_KEY: key('full') } };
}
