/**
 * A hostile service for writes: it returns 5xx, closes the connection, hangs, or sends garbage
 * after carrying out a write, without doing so, or up to 5 s before doing so. Its reads
 * lag behind by up to 3 s. It stores ship notices and tickets, accepts duplicates of both, and records
 * all effects. What happens to a write depends on the seed and its content, not on the order of requests.
 */
import type { ServerResponse } from 'node:http';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { type Asked, serve } from './server.ts';

interface AdversaryOptions {
  readonly seed: number;
  /** Scale of the delays of effects and reads; 1 is the full 5 s and 3 s. */
  readonly scale: number;
  /** Milliseconds; only differences count. */
  now(): number;
  /** Most good responses take 0.8 to 5 s on the real clock; the write is done just before. */
  readonly slow?: boolean;
}

/** An effect, visible from `at` on at the latest. */
interface Deed {
  readonly id: number;
  readonly kind: 'notice' | 'ticket';
  readonly receipt: string;
  readonly query: URLSearchParams;
  readonly at: number;
}

export type Adversary = Awaited<ReturnType<typeof startAdversary>>;

/** Of 100 writes. */
const shares = {
  ...{ good: 50, '5xx': 18, cut: 10, hang: 6, garbage: 5, 'web page': 3, busy: 5, refused: 3 },
};

type Answer = keyof typeof shares | 'slow';

/** How writes and reads of what it stores are requested, below /rest/1.3/. */
const requests: readonly (readonly [kind: Deed['kind'], line: RegExp])[] = [
  ['notice', /^(?:GET|POST) shipping3\/shipnotice\/(\w+)$/],
  ['ticket', /^POST tickets\/([A-Z]\w+)$/],
  ['ticket', /^GET tickets\/list$/],
];

export async function startAdversary(options: AdversaryOptions) {
  const { seed, scale, now, slow = false } = options;
  const deeds: Deed[] = [];
  const attempts = new Map<string, number>();
  let writes = 0;
  let reads = 0;
  let isCalm = false;

  function write(kind: Deed['kind'], receipt: string, url: URL, reply: ServerResponse) {
    writes += 1;
    const name = `${seed} ${kind} ${receipt} ${url.search}`;
    const attempt = (attempts.get(name) ?? 0) + 1;
    attempts.set(name, attempt);
    const random = randomOf(`${name} ${attempt}`);
    const answer = isCalm ? 'good' : chooseAnswer(random, slow);
    const isSure = answer === 'good' || answer === 'slow';
    const isRefused = answer === 'busy' || answer === 'refused';
    const outcome = isSure || isRefused ? 0 : Math.floor(random() * 3);
    // Of three equally likely outcomes, 0 is nothing, 1 is the effect at once, and 2 the effect later.
    const isDone = isSure || outcome > 0;
    const wait = answer === 'slow' ? (800 + 4200 * random()) * scale : 0;
    const late = outcome === 2 ? 5000 * random() * scale : 0;
    if (isDone) {
      const deed = { kind, receipt, query: url.searchParams, at: now() + wait + late };
      deeds.push({ ...deed, id: 1000 + deeds.length });
    }
    setTimeout(() => respond(reply, answer, deeds.at(-1), random), wait);
  }

  function read(kind: Deed['kind'], receipt: string, reply: ServerResponse) {
    reads += 1;
    const random = randomOf(`${seed} read ${reads}`);
    const luck = random();
    if (!isCalm && luck < 0.03) return reply.writeHead(503).end();
    if (!isCalm && luck < 0.05) return reply.destroy();
    const until = isCalm ? now() : now() - 3000 * random() * scale;
    const seen = deeds.filter(
      (one) => one.kind === kind && one.receipt === receipt && one.at <= until,
    );
    return sendJson(reply, shown(kind, seen));
  }

  function answer(reply: ServerResponse, asked: Asked) {
    // Without a Date header, cb uses its own clock.
    reply.sendDate = false;
    const { method } = asked;
    const url = new URL(asked.url, 'http://adversary');
    const line = `${method} ${url.pathname.replace('/rest/1.3/', '')}`;
    for (const [kind, pattern] of requests) {
      const found = pattern.exec(line);
      if (!found) continue;
      const receipt = found[1] ?? url.searchParams.get('receipt') ?? '';
      return method === 'POST' ? write(kind, receipt, url, reply) : read(kind, receipt, reply);
    }
    return reply.writeHead(404).end();
  }

  const { env } = await serve((reply, _, asked) => answer(reply, asked));
  return {
    env,
    /** All past and future effects. */
    deeds: deeds as readonly Deed[],
    /** Number of received writes. */
    writes: () => writes,
    /** From now on, handles every request correctly and without delay. */
    calm() {
      isCalm = true;
    },
  };
}

function chooseAnswer(random: () => number, slow: boolean): Answer {
  const each = Object.entries(shares).flatMap(([answer, share]) => Array(share).fill(answer));
  const answer: Answer = each[Math.floor(random() * 100)];
  return answer === 'good' && slow && random() < 0.7 ? 'slow' : answer;
}

function respond(
  reply: ServerResponse,
  answer: Answer,
  deed: Deed | undefined,
  random: () => number,
): void {
  const failures = [500, 502, 503, 504];
  if (answer === 'hang') return;
  if (answer === 'cut') reply.destroy();
  else if (answer === '5xx') reply.writeHead(failures[Math.floor(random() * 4)] ?? 500).end('Oops');
  else if (answer === 'busy') reply.writeHead(429).end('Too many requests');
  else if (answer === 'refused') reply.writeHead(400).end('No');
  else if (answer === 'garbage') reply.end('{"ticketData":{"tick');
  else if (answer === 'web page') reply.end('<!DOCTYPE html><html><body>Log in</body></html>');
  else sendJson(reply, deed && one(deed));
}

function one({ id, kind, receipt, query }: Deed): object {
  if (kind === 'ticket') {
    const refundType = query.get('refundType');
    return { ticketid: String(id), receipt, type: 'REFUND', status: 'OPEN', refundType };
  }
  return {
    ...{ receipt, carrier: query.get('carrier'), trackingId: query.get('tracking') },
    shipDate: '2026-03-18T00:00:00-07:00',
  };
}

function shown(kind: Deed['kind'], seen: readonly Deed[]): unknown {
  if (seen.length === 0) return null;
  return { [kind === 'ticket' ? 'ticketData' : 'shippingNoticeData']: seen.map(one) };
}

function sendJson(reply: ServerResponse, body: unknown): void {
  reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? null));
}

/** Numbers from 0 to 1 (exclusive) that depend only on the text. */
export function randomOf(text: string): () => number {
  let hash = 7;
  for (const letter of text) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
  const generator = xoroshiro128plus(hash);
  // The first numbers of similar seeds are similar.
  for (let i = 0; i < 16; i++) generator.next();
  return () => (generator.next() >>> 0) / 2 ** 32;
}
