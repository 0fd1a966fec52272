/** Ctrl-C and signals at any time: nothing is sent without a confirmation, and the log tells the truth. */
import { expect, test } from 'vitest';
import { tickets } from '../../../src/operations/tickets.ts';
import { emptyHome, type Running } from '../../support/binary.ts';
import { hasTerminals, onTerminal } from '../../support/pty.ts';
import { agent, oneLine, script, servedQueue } from '../../support/queue.ts';
import { tier } from '../../support/tier.ts';

const keys = ['f', 'f', '2', 'y', 'r', 'On it', 'y', 'x', 'y', 'u', 'Again', 'y', 'x', 'y'];

async function oneTicket() {
  const at = await servedQueue();
  const args = { receipt: 'DIGITAL1', type: 'tech', reason: 'ticket.type.tech_support.4' } as const;
  await at.client.call(tickets.create, args);
  const before = at.sent().length;
  return { ...at, args: '--receipt DIGITAL1', sent: () => at.sent().slice(before) };
}

/** Presses the keys, and Ctrl-C instead of the key at this place. */
function stopsAt(place: number) {
  const left = [...keys];
  let asked = 0;
  return agent(({ keys: known }) => {
    if (asked === place) throw Object.assign(new Error('Ctrl-C'), { name: 'ExitPromptError' });
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
    expect(ran.code).toBe(130);
    const confirmed = keys.slice(0, place).filter((key) => key === 'y').length;
    expect(at.sent()).toHaveLength(confirmed);
    expect(at.log().map(({ state }) => state)).toEqual(Array(confirmed).fill('done'));
    expect(at.csv().map(({ outcome }) => outcome)).toEqual(Array(confirmed).fill('done'));
    const summary = confirmed === 0 ? 'Nothing was sent' : `${confirmed} done`;
    expect(oneLine(ran.err)).toContain(summary);
    expect(ran.out.match(/^\d{4} /gm) ?? []).toHaveLength(confirmed);
    // An outcome that three actions or more share is above the table.
    if (confirmed > 0) expect(ran.out).toMatch(confirmed < 3 ? / done / : /Outcome: done /);
  },
);

test('logs the truth about a refund that a signal interrupts', async () => {
  const at = await oneTicket();
  const stop = new AbortController();
  // The sandbox has carried out the refund when the signal arrives, and its answer is lost.
  const env = await at.altered((body) => {
    if (/"type":"REFUND"/.test(body) && body.includes('DIGITAL1')) stop.abort(130);
    return body;
  });
  const ran = await at.work(script('f', 'f', '2', 'y'), { ...at, env, signal: stop.signal });
  expect(ran.code).toBe(130);
  expect(at.log().map(({ state }) => state)).toEqual(['unknown']);
  expect(oneLine(ran.err)).toContain('1 unknown');
  expect(ran.out).toMatch(/1\d+ +refund +37\.00 USD +unknown/);
  expect(at.sent()).toHaveLength(1);
  const again = await at.work(script('q'), at);
  expect(oneLine(again.err)).toContain('which is done: refund of DIGITAL1');
  expect(at.log().at(-1)).toMatchObject({ state: 'done' });
  expect(at.sent()).toHaveLength(1);
});

/** One ticket on a terminal of its own. */
async function onScreen() {
  const { env, sandbox, sent } = await oneTicket();
  const start = () => onTerminal('cb tickets work --receipt DIGITAL1', { home: emptyHome(), env });
  return { sandbox, start, writes: sent };
}

/** Waits for each text and then presses the key. */
async function press(running: Running, steps: readonly (readonly [RegExp, string])[]) {
  for (const [pattern, key] of steps) {
    await running.until(pattern);
    running.type(key);
  }
}

test.skipIf(!hasTerminals)(
  'counts Ctrl-D as Ctrl-C, and ignores keys that were pressed before a question appeared',
  async () => {
    const at = await onScreen();
    const running = at.start();
    await press(running, [[/f\S* refund/, 'ff2yyyy']]);
    await running.until(/How much/);
    running.type('\u0004');
    const { out } = await running.ended();
    expect(out).toContain('Nothing was sent');
    expect(out).toContain('code 130');
    expect(at.writes()).toEqual([]);
  },
);

test.skipIf(!hasTerminals)(
  'ignores a yes that was typed while what it answers was read',
  async () => {
    const at = await onScreen();
    const running = at.start();
    await press(running, [
      [/f\S* refund/, 'f'],
      [/How much[^?]*\?\s/, 'f'],
    ]);
    await running.until(/What is the reason/);
    const asked = at.sandbox.requests.length;
    at.sandbox.setFaults('latency=1s,only=GET');
    running.type('2');
    while (at.sandbox.requests.length === asked) await new Promise((done) => setTimeout(done, 10));
    running.type('y');
    await running.until(/Send it\?/);
    running.type('\u0004');
    const { out } = await running.ended();
    expect(out).toContain('code 130');
    expect(at.writes()).toEqual([]);
  },
);
