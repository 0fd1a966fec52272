/** Sends responses with faults: cut off, slow, truncated, or replaced. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Reply } from '../request/handlers.ts';
import type { RequestFaults } from './fault-list.ts';

const GARBAGE = '\u0001\u0002 not a response: ]}>&\n';
const PORTIONS_PER_SECOND = 10;

export function reachesService({ ending, instead }: RequestFaults): boolean {
  return instead === undefined && ending !== 'refuse' && ending !== 'cut-before';
}

/** Closes the connection if the fault prevents a response, and returns whether it did. */
export function cutConnection(socket: Socket, { ending }: RequestFaults): boolean {
  if (ending === 'refuse') socket.resetAndDestroy();
  else if (ending === 'cut-before' || ending === 'cut-after') socket.destroy();
  else return false;
  return true;
}

/** Returns the reply to send. With garbage, a reply without a body gets one, and a status that allows it. */
export function spoil(reply: Reply, { ending }: RequestFaults): Reply {
  if (ending !== 'garbage') return reply;
  const { status, type = 'text/plain', body } = reply;
  return { ...reply, type, body: GARBAGE, status: body === undefined ? 200 : status };
}

/** Sends the body, if any, and ends the response. Content-Length is that of the whole body. */
export async function deliver(
  response: ServerResponse,
  body: Buffer | undefined,
  { ending, bytesPerSecond }: RequestFaults,
  closing: AbortSignal,
): Promise<void> {
  const whole = ending !== 'truncate';
  const hasBody = body !== undefined && response.req.method !== 'HEAD';
  if (!hasBody) return void (whole ? response.end() : response.destroy());
  const bytes = whole ? body : body.subarray(0, body.length >> 1);
  if (whole && bytesPerSecond === undefined) return void response.end(bytes);
  response.flushHeaders();
  await writeSlowly(response, bytes, bytesPerSecond ?? Number.POSITIVE_INFINITY, closing);
  if (whole) response.end();
  else response.destroy();
}

async function writeSlowly(
  response: ServerResponse,
  bytes: Buffer,
  bytesPerSecond: number,
  closing: AbortSignal,
): Promise<void> {
  const size = Math.max(
    1,
    Math.floor(Math.min(bytes.length, bytesPerSecond / PORTIONS_PER_SECOND)),
  );
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    const portion = bytes.subarray(at, at + size);
    await new Promise((written) => response.write(portion, written));
    await setTimeout((portion.length * 1000) / bytesPerSecond, undefined, { signal: closing });
  }
}
