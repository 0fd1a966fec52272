/** What tests of the listener need: events to send, and a receiver that events are forwarded to. */
import type { ServerResponse } from 'node:http';
import { encryptNotification } from '../../src/features/ins/notification.ts';
import { eventOf } from '../../src/features/ins/sample-event.ts';
import { receive } from '../sandbox/notifications/receiver.ts';
import { now } from './cb.ts';

export const insSecret = 'LISTENERSECRET1';
export const insEnv = { CB_INS_SECRET: insSecret };

/** The body of a believable sale with this receipt. */
export function saleBody(receipt: string, secret = insSecret): string {
  return encryptNotification(eventOf('SALE', { now, receipt }), secret);
}

/** Returns the status; 0 if the connection ended without one. */
export async function post(port: number, body: string, path = '/'): Promise<number> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

/** The port of a listener or a sandbox that has started, by what it writes. */
export async function startedPort(until: (pattern: RegExp) => Promise<string>): Promise<number> {
  return Number(/127\.0\.0\.1:(\d+)/.exec(await until(/Press Ctrl-C/))?.[1]);
}

/** Receives until the test ends. `answer` gets the number of the request, from 1. */
export async function receiveForwards(
  answer: (reply: ServerResponse, number: number) => unknown = (reply) => reply.end(),
) {
  const { url, bodies, until } = await receive((_, reply) => answer(reply, bodies.length));
  const receipts = (): readonly string[] => bodies.map((body) => JSON.parse(body).receipt);
  return { url, bodies, receipts, until };
}

/** Receives until the test ends, and answers each request with a status. */
export function receiveNotifications(status = 200) {
  return receiveForwards((reply) => reply.writeHead(status, { location: '/elsewhere' }).end());
}
