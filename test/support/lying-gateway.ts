/**
 * A gateway between cb and a sandbox that lies about writes: it answers them wrongly, forwards them later, twice or
 * not at all, and then shows what the sandbox showed before the write.
 */
import type { ServerResponse } from 'node:http';
import { type Asked, forward, serve } from './server.ts';

/** What the gateway answers in place of the sandbox. */
const answers = {
  '502': [502, '<html><body>Bad Gateway</body></html>'],
  '504': [504, 'upstream timed out'],
  '429': [429, 'Too many requests'],
  '499': [499, ''],
  'a 400 with HTML': [400, '<!DOCTYPE html><html><body>Bad request</body></html>'],
  'a 403 with HTML': [403, '<html><head><title>403</title></head></html>'],
  'a 429 with HTML': [429, '<html><body>Slow down</body></html>'],
  'an empty 200': [200, ''],
  'a 200 with null': [200, 'null'],
  'a 200 with {}': [200, '{}'],
  'a 200 with another object': [200, undefined],
  'a cut connection': undefined,
  'no answer': undefined,
} as const satisfies Readonly<Record<string, readonly [number, string | undefined] | undefined>>;

export type LieAnswer = keyof typeof answers;

export interface Lie {
  /** The answer of the sandbox, or one in its place. */
  readonly answer: LieAnswer | 'the second answer';
  readonly forwards: 'never' | 'before it answers' | 'after it answers' | 'twice';
  /** Reads show the state before the write for 3 s. */
  readonly isStale: boolean;
}

const forwardings = ['never', 'before it answers', 'after it answers'] as const;

export const lies: readonly Lie[] = [false, true].flatMap((isStale) => [
  ...(Object.keys(answers) as LieAnswer[]).flatMap((answer) =>
    forwardings.map((forwards) => ({ answer, forwards, isStale })),
  ),
  { answer: 'the second answer', forwards: 'twice', isStale } as const,
]);

/** Milliseconds by the clock of the test. */
const lateness = 5000;
const lag = 3000;

/** Other objects, by the part of the path that their operations share. */
const others = Object.entries({
  '/tickets/': '{"ticketid":"999","receipt":"OTHER123","type":"TECH_SUPPORT","status":"OPEN"}',
  '/shipnotice/': '{"shippingNoticeData":{"receipt":"OTHER123","carrier":"USPS"}}',
  '/products/': 'OTHER-01',
  '': '{"orderData":{"receipt":"OTHER123"}}',
});

export type LyingGateway = Awaited<ReturnType<typeof startLyingGateway>>;

/** Lies about the first `many` writes, by a clock of which only differences count. */
export async function startLyingGateway(
  url: string,
  { answer, forwards, isStale }: Lie,
  now: () => number,
  many = 1,
) {
  const shown = new Map<string, readonly [status: number, body: string]>();
  let received = 0;
  let arrived = 0;
  let staleUntil = Number.NEGATIVE_INFINITY;
  let late: { readonly due: number; readonly asked: Asked } | undefined;

  async function pass(asked: Asked) {
    const { status, body } = await forward(url, asked);
    if (isWrite(asked)) {
      if (status < 300) arrived += 1;
      if (isStale) staleUntil = now() + lag;
    }
    return [status, body] as const;
  }

  async function deliverLate(until: number): Promise<void> {
    if (!late || late.due > until) return;
    const { asked } = late;
    late = undefined;
    await pass(asked);
  }

  async function lieAbout(asked: Asked, reply: ServerResponse): Promise<void> {
    if (forwards === 'before it answers') await pass(asked);
    if (forwards === 'after it answers') late = { due: now() + lateness, asked };
    if (answer === 'the second answer') {
      await pass(asked);
      return send(reply, await pass(asked));
    }
    if (answer === 'a cut connection') reply.destroy();
    const other = others.find(([part]) => asked.url.includes(part))?.[1] ?? '';
    const [status, body = other] = answers[answer] ?? [];
    if (status) send(reply, [status, body]);
  }

  async function respond(asked: Asked, reply: ServerResponse): Promise<void> {
    await deliverLate(now());
    if (isWrite(asked)) {
      received += 1;
      return received <= many ? lieAbout(asked, reply) : send(reply, await pass(asked));
    }
    const name = `${asked.method} ${asked.url} ${asked.headers.page}`;
    const before = shown.get(name);
    if (before && now() < staleUntil) return send(reply, before);
    const fresh = await pass(asked);
    shown.set(name, fresh);
    return send(reply, fresh);
  }

  const server = await serve((reply, _, asked) => respond(asked, reply));
  return {
    env: { CB_BASE_URL: server.url },
    /** How often cb sent a write. */
    received: () => received,
    /** How many writes the sandbox carried out. */
    arrived: () => arrived,
    /** Forwards everything that is still on its way. */
    settle: () => deliverLate(Number.POSITIVE_INFINITY),
  };
}

function isWrite({ method }: Asked): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

function send(reply: ServerResponse, [status, body]: readonly [number, string]): void {
  const isHtml = /^<(?:!doctype|html)/i.test(body);
  const type = isHtml ? 'text/html' : status < 300 ? 'application/json' : 'text/plain';
  const again = status === 429 ? { 'retry-after': '0' } : {};
  reply.writeHead(status, { 'content-type': type, ...again }).end(body);
}
