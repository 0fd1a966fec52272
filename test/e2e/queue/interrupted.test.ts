/** A session of the queue with random keys, Ctrl-C and signals: nothing is sent without a confirmation, none twice, and the log tells the truth. */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { expect, test } from 'vitest';
import { emptyHome } from '../../support/binary.ts';
import { ctrlC } from '../../support/person.ts';
import { hasTerminals, onTerminal } from '../../support/pty.ts';
import { agent, oneLine, oneTicket, script, servedQueue } from '../../support/queue.ts';
import { expectExit } from '../../support/refusal.ts';
import { seedOf, tier } from '../../support/tier.ts';

const keys = ['f', 'f', '2', 'y', 'r', 'On it', 'y', 'x', 'y', 'u', 'Again', 'y', 'x', 'y'];

/** Presses the keys, and Ctrl-C instead of the key at this place. */
function stopsAt(place: number) {
  const left = [...keys];
  let asked = 0;
  return agent(({ keys: known }) => {
    if (asked === place) return ctrlC;
    asked += 1;
    const key = left.shift() ?? 'q';
    return known && !known.includes(key) ? 'q' : key;
  });
}

// At the first prompt, at a yes, in the middle of a reply, and at the last yes; or at each of them.
test.each(tier([0, 3, 5, 13], [...keys.keys()]))(
  'ends with exit code 130 and the summary after Ctrl-C at prompt %i, and sends nothing more',
  async (place) => {
    const at = await oneTicket();
    const ran = await at.work(stopsAt(place), at);
    const confirmed = keys.slice(0, place).filter((key) => key === 'y').length;
    expect(at.sent()).toHaveLength(confirmed);
    expect(at.log().map(({ state }) => state)).toEqual(Array(confirmed).fill('done'));
    const rows = at.csv().map((row) => [row.ticketId, row.action, row.receipt, row.outcome]);
    const logged = at.log().map((one) => [one.ticket, one.action, one.about, one.state]);
    expect(rows).toEqual(logged);
    expectExit(ran, 130, confirmed === 0 ? 'Nothing was sent' : `${confirmed} done`);
    expect(ran.out.match(/^\d{4} /gm) ?? []).toHaveLength(confirmed);
    // An outcome that three actions or more share is above the table.
    if (confirmed > 0) expect(ran.out).toMatch(confirmed < 3 ? / done / : /Outcome: done /);
  },
);

test('logs the actual outcome of a refund that a signal interrupts, and resolves it in the next session', async () => {
  const at = await oneTicket();
  const stop = new AbortController();
  // The sandbox has carried out the refund when the signal arrives, and its answer is lost.
  const env = await at.altered((body) => {
    if (/"type":"REFUND"/.test(body) && body.includes('DIGITAL1')) stop.abort(130);
    return body;
  });
  const ran = await at.work(script('f', 'f', '2', 'y'), { ...at, env, signal: stop.signal });
  expectExit(ran, 130, '1 unknown');
  expect(at.log().map(({ state }) => state)).toEqual(['unknown']);
  expect(ran.out).toMatch(/1\d+ +refund +37\.00 USD +unknown/);
  expect(at.sent()).toHaveLength(1);
  const again = await at.work(script('s', 'f', 'q'), at);
  const says =
    'An earlier session was stopped after it sent a write, which is done: refund of DIGITAL1';
  expectExit(again, 0, says);
  expect(oneLine(again.err)).toContain('already refunded or canceled DIGITAL1');
  expect(at.log().at(-1)).toMatchObject({ state: 'done', action: 'refund' });
  expect(at.sent()).toHaveLength(1);
});

test.skipIf(!hasTerminals)(
  'ignores keys that were pressed before a question appeared, even while what it asks about is read, and counts Ctrl-D as Ctrl-C',
  async () => {
    const { env, sandbox, sent } = await oneTicket();
    const line = 'cb tickets work --receipt DIGITAL1';
    const running = onTerminal(line, { home: emptyHome(), env });
    await running.until(/f\S* refund/);
    running.type('ff2yyyy');
    await running.until(/How much[^?]*\?\s/);
    running.type('f');
    await running.until(/What is the reason/);
    const asked = sandbox.requests.length;
    sandbox.setFaults('latency=1s,only=GET');
    running.type('2');
    while (sandbox.requests.length === asked) await new Promise((done) => setTimeout(done, 10));
    running.type('y');
    await running.until(/Send it\?/);
    running.type('\u0004');
    const { out } = await running.ended();
    expect(out).toContain('Nothing was sent');
    expect(out).toContain('code 130');
    expect(sent()).toEqual([]);
  },
);

test('refunds the newest payment of a subscription with 6 keys', async () => {
  const at = await servedQueue();
  const person = script('f', '1', 'f', 'e', '2', 'y', 'q');
  const chosen: (string | undefined)[] = [];
  const key: typeof person.key = async (question, choices, options) => {
    const pressed = await person.key(question, choices, options);
    chosen.push(choices.find((one) => one.key === pressed)?.short);
    return pressed;
  };
  const ran = await at.work({ ...person, key }, { args: '--receipt MONTHLY1' });
  expect(ran.code).toBe(0);
  // A longer answer would not fit on the line of its question.
  expect(chosen).toContain('MONTHLY1-B004');
  const refund = { ticket: '1003', about: 'MONTHLY1-B004', action: 'refund', state: 'done' };
  expect(at.log().at(-1)).toMatchObject(refund);
  expect(at.sent()).toMatchObject([{ path: expect.stringContaining('/MONTHLY1-B004?') }]);
});

const texts: readonly (readonly [question: RegExp, texts: readonly string[]])[] = [
  [/^Reply/, ['', 'On it', 'Thank you']],
  [/^Why do you/, ['', 'Again']],
  [/^Percentage/, ['', '50', '12.5']],
  [/^Amount/, ['', '1', '2.50']],
];

/** Favors the keys of refunds and confirmations, so that many writes are sent. */
const favorites = ['y', 'f', 'c', '1', 'x', 'o', 'u', 'l', 'e', 'b'];

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
  const person = randomAgent(Number(seed), tier(100, 150), (question, answer) => {
    check();
    isYes.last = /^(?:Send it|Allow)/.test(question) && answer === 'y';
    confirmed += Number(isYes.last);
  });
  const ran = await at.work(person);
  check();
  expect([0, 8]).toContain(ran.code);
  expect(at.sent().length).toBeLessThanOrEqual(confirmed);
  const receipts = at.sent().flatMap(({ method, path, status }) => {
    const isCreation = method === 'POST' && /type=(?:rfnd|cncl)/.test(path) && status === 200;
    return isCreation ? [/tickets\/(\w[\w-]*)\?/.exec(path)?.[1]] : [];
  });
  expect(receipts).toEqual([...new Set(receipts)]);
  const log = at.log();
  expect(log.length).toBeGreaterThan(3);
  expect(at.sent().length).toBe(log.length);
  const done = log.filter(({ state }) => state === 'done').length;
  const carriedOut = at.sent().filter(({ status }) => status === 200 || status === 204).length;
  expect(done).toBe(carriedOut);
  // A refund is sent to the order that the log names, and other writes to the ticket.
  const targets = at.sent().map(({ path }) => /tickets\/([\w-]+)/.exec(path)?.[1]);
  const isNew = (action?: string) => action === 'refund' || action === 'cancel';
  expect(targets).toEqual(log.map(({ action, about, ticket }) => (isNew(action) ? about : ticket)));
});
