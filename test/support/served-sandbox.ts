/** A sandbox on a socket, for tests that count its requests. */
import { onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/http/server.ts';
import { now } from './cb.ts';

/** Serves until the test ends. The default key has every role. */
export async function servedSandbox({ orders = 60, keyName = 'full' } = {}) {
  const sandbox = await startSandbox({ file: ':memory:', now: () => now, seed: { orders } });
  onTestFinished(() => sandbox.close());
  const key = sandbox.keys.find(({ name }) => name === keyName)?.key ?? '';
  return {
    sandbox,
    key,
    env: { CB_BASE_URL: sandbox.url, CB_API_KEY: key },
    /** The requests that were to change something. */
    writes: () => sandbox.requests.filter(({ method }) => method !== 'GET' && method !== 'HEAD'),
  };
}
