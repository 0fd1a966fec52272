/** What tests of the listener need: events to send, and a receiver that events are forwarded to. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { encryptNotification } from '../../src/features/ins/notification.ts';
import { eventOf } from '../../src/features/ins/sample-event.ts';
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

export interface ForwardReceiver {
  readonly url: string;
  /** The bodies as received, in order. */
  readonly bodies: readonly string[];
  /** The receipts of decrypted bodies, in order. */
  receipts(): readonly string[];
  /** Resolves when so many bodies have arrived. */
  until(count: number): Promise<void>;
}

/** Receives until the test ends. `answer` gets the number of the request, from 1. */
export async function receiveForwards(
  answer: (reply: ServerResponse, number: number) => void = (reply) => reply.end(),
): Promise<ForwardReceiver> {
  const bodies: string[] = [];
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString());
      answer(reply, bodies.length);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(
    () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  );
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ins`,
    bodies,
    receipts: () => bodies.map((body) => JSON.parse(body).receipt),
    async until(count) {
      while (bodies.length < count) await sleep(10);
    },
  };
}
