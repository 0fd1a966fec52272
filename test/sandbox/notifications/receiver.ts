/** Sandboxes that tell receivers of their events, which decrypt them by themselves, as programs of vendors do. */
import { createDecipheriv, createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../../src/sandbox/http/server.ts';
import { listen } from '../../support/server.ts';
import { openSandbox, post } from '../raw.ts';

export const SECRET = 'TESTSECRET123456';

/** A decrypted notification. */
export type Notification = Readonly<Record<string, unknown>> & {
  readonly receipt: string;
  readonly transactionType: string;
  readonly transactionTime: string;
  readonly attemptCount: number;
};

export function decrypted(body: string, secret = SECRET): string {
  const { notification, iv } = JSON.parse(body) as { notification: string; iv: string };
  const key = createHash('sha1').update(secret).digest('hex').substring(0, 32);
  const decipher = createDecipheriv('aes-256-cbc', key, Buffer.from(iv, 'base64'));
  return decipher.update(notification, 'base64', 'utf8') + decipher.final('utf8');
}

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Listens until the test ends. `answer` is 200 by default. */
export async function receive(answer: Answer = (_, response) => void response.end()) {
  /** The bodies of complete requests, as received. */
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const received = text(request).then((body) => {
      bodies.push(body);
      answer(request, response, body);
    });
    received.catch(() => undefined);
  });
  const port = await listen(server);
  const texts = () => bodies.map((body) => decrypted(body));
  return {
    url: `http://127.0.0.1:${port}/ins`,
    bodies,
    /** The decrypted JSON texts; `events` parses them. */
    texts,
    events: (): Notification[] => texts().map((text) => JSON.parse(text)),
    /** Waits until this number of complete requests has arrived. */
    async until(count: number): Promise<void> {
      while (bodies.length < count) await sleep(10);
    },
  };
}

type Receiver = Awaited<ReturnType<typeof receive>>;

export const answering =
  (status: number): Answer =>
  (_, response) => {
    response.statusCode = status;
    response.end();
  };

/** Tracks the maximum number of concurrent requests. `answer` receives a function that ends one. */
export function countOpen(answer: (end: () => void) => void) {
  let [open, most] = [0, 0];
  const counting: Answer = (_, response) => {
    open += 1;
    most = Math.max(most, open);
    answer(() => {
      open -= 1;
      response.end();
    });
  };
  return { counting, most: () => most };
}

export const HOUR = 3600;
/** Changes that cause one notification each. */
export const REINSTATE = 'orders2/CANCEL01/reinstate';
export const CHANGE =
  'orders2/MONTHLY1/changeProduct?oldSku=CLUB-M&newSku=CLUB-PLUS-M&applyProratedRefund=false';

export async function told(
  options: Partial<SandboxOptions> & { readonly version?: number; readonly to?: Receiver } = {},
) {
  const { version = 8, to = await receive(), ...others } = options;
  const sandbox = await openSandbox(others);
  sandbox.notifications.add({ url: to.url, secret: SECRET, version });
  return { sandbox, to };
}

/** Everything that is due is sent before the test notification. */
export async function eventsOf({ sandbox, to }: Awaited<ReturnType<typeof told>>) {
  await sandbox.notifications.test();
  return to.events().filter(({ transactionType }) => transactionType !== 'TEST');
}

/** `path` is below `/rest/1.3/`. */
export async function change(sandbox: Sandbox, path: string): Promise<string> {
  const { status, text } = await post(sandbox, `/rest/1.3/${path}`);
  expect([path, status < 300, text]).toEqual([path, true, text]);
  return text;
}

export const brief = ({ transactionType, receipt }: Notification) =>
  `${transactionType} ${receipt}`;

/** Every entry of the log, the latest events first. */
export const logOf = ({ notifications }: Sandbox) => [...notifications.log()].flat();
