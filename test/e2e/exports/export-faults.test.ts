/** An export over an unreliable network, by a program that is killed repeatedly. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { expect, test } from 'vitest';
import { readCheckpoint } from '../../../src/features/lists/part-file.ts';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { cb, emptyHome, type Running, shortWaits } from '../../support/binary.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { tier } from '../../support/tier.ts';

const pages = tier(50, 1000);
const kills = tier(2, 10);

const year = ['--start-date', '2025-03-19', '--end-date', '2026-03-18'];

// Each fault applies to the requests that the previous faults left: in total 2 % 429, 5 % truncated
// bodies, 5 % cut connections and 10 % 5xx.
const faults =
  '429=2%:1,truncate=5.2%,cut-before=2.7%,cut-after=2.8%,500=4%,502=4%,503=4.2%,seed=7';

interface World {
  readonly sandbox: Sandbox;
  readonly home: string;
  list(...args: string[]): Running;
}

async function world(orders: number): Promise<World> {
  const { sandbox } = await serveSandbox({ orders });
  const home = emptyHome();
  const env = {
    CB_BASE_URL: sandbox.url,
    CB_API_KEY: sandbox.keys[0]?.key ?? '',
    ...shortWaits(50),
  };
  const list = (...args: string[]) => cb(['orders', 'list', ...year, ...args], { home, env });
  return { sandbox, home, list };
}

/**
 * Resolves to true after a new checkpoint, rows after it in the part file, and this number of further
 * requests, or to false if the program ends before. Counts requests, since checkpoints can be missed.
 */
async function isInTheMiddle(
  { child }: Running,
  part: string,
  { requests }: Sandbox,
  more: number,
): Promise<boolean> {
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const written = () => statSync(`${part}.json`, { throwIfNoEntry: false })?.mtimeMs;
  let last = written();
  const until = requests.length + more;
  let size: number | undefined;
  while (child.exitCode === null) {
    if (size !== undefined && sizeOf(part) > size && requests.length >= until) return true;
    await setTimeout(2);
    const next = written();
    if (next === last) continue;
    last = next;
    size = sizeOf(part);
  }
  return false;
}

/** Kills the program often, each time at a later window, and then lets it finish. */
async function killOften(start: () => Running, file: string, sandbox: Sandbox): Promise<void> {
  const random = xoroshiro128plus(7);
  const part = `${file}.part`;
  let windows = 0;
  for (let killed = 0, runs = 1; ; runs++) {
    expect(runs, `${killed} kills`).toBeLessThan(4 * kills);
    expect(existsSync(file)).toBe(false);
    const running = start();
    const more = 4 + (Math.abs(random.next()) % (pages / 25));
    if (killed < kills && (await isInTheMiddle(running, part, sandbox, more))) {
      running.child.kill('SIGKILL');
      await running.ended();
      expect(running.child.signalCode).toBe('SIGKILL');
      killed += 1;
      const held = await readCheckpoint(`${part}.json`);
      expect(held?.windows).toBeGreaterThan(windows);
      expect(statSync(part).size, 'rows after the checkpoint').toBeGreaterThan(held?.bytes ?? 0);
      windows = held?.windows ?? 0;
      continue;
    }
    const { code, err } = await running.ended();
    if (code === 0) return void expect(killed).toBe(kills);
    // A page that fails six times in a row ends a run; the next run continues.
    expect(code, err).toBe(6);
    expect(err).toMatch(/rows are kept in .*orders\.csv\.part\. Pass --resume to continue/);
  }
}

/** Number of requests with each kind of fault. */
function countFaults({ sandbox }: World) {
  const met = (name: RegExp) =>
    sandbox.requests.filter(({ fault }) => fault !== undefined && name.test(fault)).length;
  return { failed: met(/^5/), cut: met(/^cut/), truncated: met(/^truncate/), limited: met(/^429/) };
}

test('exports the same bytes as an undisturbed run despite 10 percent 5xx, 5 percent cut connections, 5 percent truncated bodies, 2 percent 429 with Retry-After, and kill -9', async () => {
  const at = await world(pages * 100);
  const { code, err } = await at.list('--out', 'whole.csv').ended();
  expect([code, err]).toEqual([0, expect.stringMatching(/^(note: The list leaves out .*\n)?$/)]);
  const asked = at.sandbox.requests.filter(({ path }) => path.includes('/list')).length;
  expect(asked).toBeGreaterThanOrEqual(pages);
  const beside = readdirSync(at.home);

  at.sandbox.setFaults(faults);
  const file = join(at.home, 'orders.csv');
  const args = ['--out', 'orders.csv', '--resume', '--max-wait', '60'];
  await killOften(() => at.list(...args), file, at.sandbox);

  const { failed, cut, truncated, limited } = countFaults(at);
  expect(failed).toBeGreaterThanOrEqual(pages / 10);
  expect(cut).toBeGreaterThanOrEqual(pages / 20);
  expect(truncated).toBeGreaterThanOrEqual(pages / 20);
  expect(limited).toBeGreaterThanOrEqual(pages / 50);
  expect(at.sandbox.requests.length - asked, 'most pages are requested once').toBeLessThan(
    3 * asked,
  );
  const whole = readFileSync(join(at.home, 'whole.csv'));
  expect(whole.toString().split('\n').length).toBeGreaterThan(pages * 100);
  expect(readFileSync(file).equals(whole)).toBe(true);
  expect(readdirSync(at.home).sort()).toEqual([...beside, 'orders.csv'].sort());
});
