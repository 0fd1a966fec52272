/** kill -9 around the sending of a refund: the log of the queue tells the truth, and nothing is sent twice. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/http/server.ts';
import { emptyHome, type Running } from '../../support/binary.ts';
import { hasTerminals, onTerminal } from '../../support/pty.ts';

interface Line {
  readonly outcome: string;
  readonly action: string;
  readonly actionId: string;
}

async function world() {
  const sandbox = await startSandbox({ file: ':memory:', seed: { orders: 60 } });
  onTestFinished(() => sandbox.close());
  const home = emptyHome();
  const key = sandbox.keys[0]?.key ?? '';
  const env = { CB_BASE_URL: sandbox.url, CB_API_KEY: key };
  const headers = { authorization: key, accept: 'application/json' };
  const url = `${sandbox.url}/rest/1.3/tickets`;
  const query = 'type=tech&reason=ticket.type.tech_support.4';
  await fetch(`${url}/DIGITAL1?${query}`, { method: 'POST', headers });
  const before = sandbox.requests.length;
  const writes = () => sandbox.requests.slice(before).filter(({ method }) => method === 'POST');
  const refunds = async (): Promise<number> => {
    const answer = await fetch(`${url}/count?type=rfnd&receipt=DIGITAL1`, { headers });
    return Number(await answer.text());
  };
  const file = join(home, 'log.csv');
  const log = (): Line[] => parse(readFileSync(file, 'utf8'), { columns: true });
  const line = 'cb tickets work --receipt DIGITAL1 --log log.csv --verify-wait 200ms';
  const start = () => onTerminal(line, { home, env });
  return { sandbox, start, writes, refunds, log, file };
}

/** Waits for each text and then presses the key. */
async function press(running: Running, steps: readonly (readonly [RegExp, string])[]) {
  for (const [pattern, key] of steps) {
    await running.until(pattern);
    running.type(key);
  }
}

const toTheQuestion = [
  [/f\S* refund/, 'f'],
  [/How much[^?]*\?\s/, 'f'],
  [/What is the reason/, '2'],
] as const;

/** The process that holds the log. */
function killHolder(file: string): void {
  const { pid } = JSON.parse(readFileSync(`${file}.lock`, 'utf8')) as { pid: number };
  process.kill(pid, 'SIGKILL');
}

async function restart(at: Awaited<ReturnType<typeof world>>): Promise<string> {
  at.sandbox.setFaults(undefined);
  const again = at.start();
  await press(again, [[/q\S* quit/, 'q']]);
  const { out } = await again.ended();
  return out.replaceAll(/\s+/g, ' ');
}

test.skipIf(!hasTerminals)('logs nothing if it is killed while it asks', async () => {
  const at = await world();
  const running = at.start();
  await press(running, toTheQuestion);
  await running.until(/Send it\?/);
  killHolder(at.file);
  await running.ended();
  expect(at.log()).toEqual([]);
  expect(at.writes()).toEqual([]);
  await restart(at);
  expect(at.log()).toEqual([]);
  expect(await at.refunds()).toBe(0);
});

test.skipIf(!hasTerminals).each([
  ['before the sandbox carries it out', 'latency=60s,cut-before=100%,only=POST', 'unknown', 0],
  ['after the sandbox has carried it out', 'slow-body=20b/s,only=POST', 'done', 1],
] as const)(
  'says on the next start what became of a refund, if it is killed %s',
  async (_, faults, outcome, refunds) => {
    const at = await world();
    at.sandbox.setFaults(faults);
    const running = at.start();
    await press(running, [...toTheQuestion, [/Send it\?/, 'y']]);
    await running.until(/Sending/);
    const isSent = async () => (refunds === 1 ? (await at.refunds()) === 1 : at.log().length === 1);
    while (!(await isSent())) await new Promise((done) => setTimeout(done, 10));
    killHolder(at.file);
    await running.ended();
    expect(at.log().map((line) => line.outcome)).toEqual(['sent, outcome unknown']);
    const shown = await restart(at);
    expect(shown).toMatch(outcome === 'done' ? /which is done: refund/ : /still unknown: refund/);
    expect(at.log().map((line) => line.outcome)).toEqual(['sent, outcome unknown', outcome]);
    expect(new Set(at.log().map(({ actionId }) => actionId)).size).toBe(1);
    expect(await at.refunds()).toBe(refunds);
  },
);

test.skipIf(!hasTerminals)('has logged a refund whose outcome it has shown', async () => {
  const at = await world();
  const running = at.start();
  await press(running, [...toTheQuestion, [/Send it\?/, 'y']]);
  await running.until(/Done: Refund requested/);
  killHolder(at.file);
  await running.ended();
  const before = at.log();
  expect(before.map(({ outcome }) => outcome)).toEqual(['sent, outcome unknown', 'done']);
  await restart(at);
  expect(at.log()).toEqual(before);
  expect(at.writes()).toHaveLength(1);
  expect(await at.refunds()).toBe(1);
});

test.skipIf(!hasTerminals)(
  'counts Ctrl-D as Ctrl-C, and ignores keys that were pressed before a question appeared',
  async () => {
    const at = await world();
    const running = at.start();
    await press(running, [[/f\S* refund/, 'ff2yyyy']]);
    await running.until(/How much/);
    running.type('\u0004');
    const { out } = await running.ended();
    expect(out).toContain('Nothing was sent');
    expect(out).toContain('code 130');
    expect(at.writes()).toEqual([]);
    expect(existsSync(`${at.file}.lock`)).toBe(false);
  },
);

test.skipIf(!hasTerminals)(
  'ignores a yes that was typed while what it answers was read',
  async () => {
    const at = await world();
    const running = at.start();
    await press(running, toTheQuestion.slice(0, 2));
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
