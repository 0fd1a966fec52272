/** How an answer goes out when there are faults: cut, slow, in part, or as something else. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Fate } from './faults-fate.ts';
import type { Reply } from './reply.ts';

const GARBAGE = '\u0001\u0002 this is no answer: ]}>&\n';
const PORTIONS_PER_SECOND = 10;

/** Whether the service gets to see the request. */
export function reachesService({ ending, instead }: Fate): boolean {
  return instead === undefined && ending !== 'refuse' && ending !== 'cut-before';
}

/** Ends the connection where no answer is to come. True when it did. */
export function cutConnection(socket: Socket, { ending }: Fate): boolean {
  if (ending === 'refuse') socket.resetAndDestroy();
  else if (ending === 'cut-before' || ending === 'cut-after') socket.destroy();
  else return false;
  return true;
}

/** What is sent in place of `reply`. An answer without a body gets one, and a status to carry it. */
export function spoil(reply: Reply, { ending }: Fate): Reply {
  if (ending !== 'garbage') return reply;
  const { status, type = 'text/plain', body } = reply;
  return { ...reply, type, body: GARBAGE, status: body === undefined ? 200 : status };
}

/** Sends the body, if any, of which the headers have told the whole length, and ends the answer. */
export async function deliver(
  response: ServerResponse,
  body: Buffer | undefined,
  { ending, bytesPerSecond }: Fate,
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
