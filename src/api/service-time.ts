/** What time it is at a service: every HTTP answer tells it in the header Date. */
import { openCarriers } from './carriers.ts';
import type { HttpProxy } from './proxy.ts';
import { openTransport } from './transport.ts';

interface TimeOptions {
  readonly baseUrl: string;
  readonly userAgent: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly proxy?: HttpProxy | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Sends one request without a key. Undefined if the service can't be reached or does not tell. */
export async function serviceTime(options: TimeOptions): Promise<Date | undefined> {
  const { baseUrl, userAgent, timeout, proxy, signal } = options;
  const reach = { timeout, connections: 1, proxy };
  const transport = openTransport(openCarriers(reach), reach);
  try {
    const headers = { accept: '*/*', 'user-agent': userAgent };
    const answer = await transport.send({ method: 'HEAD', url: `${baseUrl}/`, headers }, signal);
    return timeIn(answer.headers);
  } catch {
    return undefined;
  } finally {
    await transport.close();
  }
}

/** The header Date; undefined if it is missing or not a date. */
export function timeIn({ date = '' }: Readonly<Record<string, string>>): Date | undefined {
  const time = Date.parse(date);
  return Number.isNaN(time) ? undefined : new Date(time);
}
