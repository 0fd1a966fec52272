/** Random keys never send a write without its confirmation, and never refund a receipt twice. */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { expect, test } from 'vitest';
import { agent, servedQueue } from '../../support/queue.ts';
import { seedOf, tier } from '../../support/tier.ts';

const texts: readonly (readonly [question: RegExp, texts: readonly string[]])[] = [
  [/^Reply/, ['', 'On it', 'Thank you']],
  [/^Why do you/, ['', 'Again']],
  [/^Percentage/, ['', '50', '12.5']],
  [/^Amount/, ['', '1', '2.50']],
];

/** Favors the keys of refunds and confirmations, so that many writes are sent. */
const favorites = ['y', 'f', 'c', '1', 'x', 'o', 'l', 'e', 'b'];

function randomAgent(
  seed: number,
  most: number,
  onAnswer: (question: string, key: string) => void,
) {
  const generator = xoroshiro128plus(seed);
  const below = (count: number) => (generator.next() >>> 0) % count;
  const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T;
  let asked = 0;
  return agent(({ question, keys }) => {
    asked += 1;
    const known = texts.find(([words]) => words.test(question))?.[1] ?? [''];
    const others = keys?.filter((key) => key !== 'q') ?? [];
    const liked = others.filter((key) => favorites.includes(key));
    const leaves = asked > most && keys?.includes('q');
    const usual = liked.length > 0 && below(10) < 7 ? pick(liked) : pick(others);
    const answer = keys === undefined ? pick(known) : leaves ? 'q' : usual;
    onAnswer(question, answer);
    return answer;
  });
}

const seeds = Array.from({ length: tier(1, 10) }, (_, i) => seedOf(1) + i);

test.each(
  seeds.flatMap((seed) => [
    [seed, 'no faults', undefined],
    [seed, 'lost answers', 'cut-after=30%,503=30%,only=POST,only=PUT'],
  ]),
)('sends only what was confirmed, with random keys of seed %i and %s', async (seed, _, faults) => {
  const at = await servedQueue({ least: 14 });
  if (faults) at.sandbox.setFaults(`${faults},seed=${seed}`);
  const isYes = { last: false };
  let sent = 0;
  let confirmed = 0;
  const check = () => {
    const now = at.sent().length;
    // At most one write since the last answer, and only after a yes.
    expect(now - sent).toBeLessThanOrEqual(isYes.last ? 1 : 0);
    sent = now;
  };
  const person = randomAgent(Number(seed), tier(150, 200), (question, answer) => {
    check();
    isYes.last = /^(?:Send it|Allow)/.test(question) && answer === 'y';
    confirmed += Number(isYes.last);
  });
  const ran = await at.work(person);
  check();
  expect([0, 8]).toContain(ran.code);
  expect(at.sent().length).toBeLessThanOrEqual(confirmed);
  const creations = at.sent().filter(({ method, path, status }) => {
    return method === 'POST' && /type=(?:rfnd|cncl)/.test(path) && status === 200;
  });
  const receipts = creations.map(({ path }) => /tickets\/(\w[\w-]*)\?/.exec(path)?.[1]);
  expect(receipts).toEqual([...new Set(receipts)]);
  const log = at.log();
  expect(log.length).toBeGreaterThan(3);
  expect(at.sent().length).toBe(log.length);
  const done = log.filter(({ state }) => state === 'done').length;
  const carriedOut = at.sent().filter(({ status }) => status === 200 || status === 204).length;
  expect(done).toBe(carriedOut);
});
