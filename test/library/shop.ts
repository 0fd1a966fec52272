/** A client of the library with a sandbox at the time of the tests. */
import { onTestFinished } from 'vitest';
import { createClient } from '../../src/library/index.ts';
import type { ClientOptions } from '../../src/library/types.ts';
import { type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';
import { now } from '../support/cb.ts';

interface Options extends SandboxOptions {
  readonly client?: Partial<ClientOptions>;
}

export async function openShop({ client: own, ...options }: Options = {}) {
  const sandbox = await startSandbox({ orders: 60, now, ...options });
  const { baseUrl, apiKey, now: time } = sandbox;
  const service = { baseUrl, apiKey, now: time };
  const client = createClient({ ...service, pace: Number.POSITIVE_INFINITY, ...own });
  onTestFinished(async () => {
    await client.close();
    await sandbox.close();
  });
  const writes = () => sandbox.requests.filter(({ method }) => !['GET', 'HEAD'].includes(method));
  return { sandbox, client, writes };
}

export const year = { startDate: '2025-03-19', endDate: '2026-03-18' };

/** A full refund of DIGITAL1, without warnings. */
export const refund = {
  receipt: 'DIGITAL1',
  type: 'rfnd',
  reason: 'ticket.type.refund.2',
  refundType: 'FULL',
} as const;
