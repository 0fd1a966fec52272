/**
 * Imports to a service with wrong, late, and missing responses: nothing is done twice, and all reports
 * are true. The long tier runs the import with 1,000 rows, 50 kills, and the full delays (some minutes).
 */
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Adversary, randomOf, startAdversary } from '../../support/adversary.ts';
import { emptyHome, cb as startProgram } from '../../support/binary.ts';
import { home } from '../../support/cb.ts';
import { isLong, tier } from '../../support/tier.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const lines = {
  notice: (file: string) => `ship notice import ${file} --carrier USPS --date 2026-03-18 --yes`,
  ticket: (file: string) =>
    `tickets create --from ${file} --type rfnd --yes --reason ticket.type.refund.2 --refund-type FULL`,
};

interface Importing {
  readonly kind: keyof typeof lines;
  readonly file: string;
}

/** Writes `count` rows: four notices per receipt, or one refund ticket per receipt. */
function writeRows(kind: Importing['kind'], file: string, count: number): Importing {
  const rows = Array.from({ length: count }, (_, i) =>
    kind === 'notice' ? `PARCEL${Math.floor(i / 4)},T${i}` : `SALE${i}`,
  );
  const header = kind === 'notice' ? 'receipt,tracking' : 'receipt';
  writeFileSync(file, `${[header, ...rows].join('\n')}\n`);
  return { kind, file };
}

/** Compares the result file and stderr with the effects on the adversary, row by row. */
function checkTold({ kind, file }: Importing, { deeds }: Adversary, err: string) {
  const header = readFileSync(file, 'utf8').trimEnd().split('\n');
  const results = readFileSync(`${file}.results.csv`, 'utf8').trimEnd().split('\n').slice(1);
  expect(results).toHaveLength(header.length - 1);
  const times = new Map<string, number>();
  for (const { receipt, query } of deeds) {
    const name = kind === 'notice' ? `${receipt},${query.get('tracking')}` : receipt;
    times.set(name, (times.get(name) ?? 0) + 1);
  }
  const tally = { done: 0, unknown: 0, notDone: 0 };
  for (const result of results) {
    const [, number = '', receipt = '', status = ''] = /^(\d+),(\w+),"?(.*)$/.exec(result) ?? [];
    const count = times.get(header[Number(number) - 1] ?? '') ?? 0;
    expect(count, `line ${number} was done ${count} times`).toBeLessThanOrEqual(1);
    if (/^(done|already there)/.test(status)) {
      tally.done += 1;
      expect(count, `line ${number} is told as ${status}`).toBe(1);
    } else if (status.startsWith('unknown')) {
      tally.unknown += 1;
      expect(err).toContain(`Line ${number} (${receipt}): unknown: `);
    } else {
      tally.notDone += 1;
      expect(count, `line ${number} is told as ${status}`).toBe(0);
    }
  }
  return tally;
}

test.each(['notice', 'ticket'] as const)(
  'imports %ss once each, reports them truthfully, and retries unknown ones with --retry-unknown',
  async (kind) => {
    const { cb, folder } = home();
    const clock = virtualClock();
    const adversary = await startAdversary({ seed: 11, scale: 1, now: clock.now });
    const importing = writeRows(kind, join(folder, 'rows.csv'), 80);
    const line = `${lines[kind](importing.file)} --concurrency 16`;
    const run = (flags = '') => cb(`${line} ${flags}`, { env: adversary.env, clock });
    const first = await run('--timeout 0.5');
    expect(first.code).toBe(8);
    const tally = checkTold(importing, adversary, first.err);
    expect(tally.unknown).toBeGreaterThan(3);
    expect(tally.done).toBeGreaterThan(30);
    checkTold(importing, adversary, (await run('--timeout 0.5')).err);
    adversary.calm();
    await clock.sleep(10_000);
    const last = await run('--retry-unknown');
    expect(last.code).toBe(0);
    expect(checkTold(importing, adversary, last.err).done).toBe(80);
  },
);

const force = isLong
  ? { rows: 600, kills: 30, scale: 1, wait: '10s', timeout: '6' }
  : { rows: 24, kills: 2, scale: 0.2, wait: '1800ms', timeout: '1.2' };

// How rows are journaled and found again is the same code for both kinds.
test.each(tier(['notice'] as const, ['notice', 'ticket'] as const))(
  'does each of many %ss at most once through kill -9 with immediate reruns, two at a time under different names',
  isLong ? { timeout: 40 * 60_000 } : {},
  async (kind) => {
    const folder = emptyHome();
    const { scale } = force;
    const now = () => performance.now();
    const adversary = await startAdversary({ seed: 3, scale, now, slow: true });
    mkdirSync(join(folder, 'real'));
    const importing = writeRows(kind, join(folder, 'real', 'rows.csv'), force.rows);
    const start = starterOf(importing, adversary, folder);
    await killOften(importing, start);
    let last = await start(0).ended();
    const tally = checkTold(importing, adversary, last.err);
    adversary.calm();
    await new Promise((done) => setTimeout(done, 8000 * scale));
    last = await start(0, '--retry-unknown').ended();
    expect(last.code, last.err).toBe(0);
    expect(checkTold(importing, adversary, last.err).done).toBe(force.rows);
    const figures = { kind, rows: force.rows, writes: adversary.writes(), told: tally };
    if (isLong) process.stderr.write(`${JSON.stringify(figures)}\n`);
    expect(tally.done).toBeGreaterThan(0);
  },
);

/** Starts the import under one of several names of its file or of its journal. */
function starterOf({ kind, file }: Importing, adversary: Adversary, folder: string) {
  const journal = `${file}.cb-journal`;
  symlinkSync(file, join(folder, 'link.csv'));
  symlinkSync(join(folder, 'real'), join(folder, 'folder'));
  symlinkSync(journal, join(folder, 'journal'));
  const names = [
    [file],
    [join(folder, 'folder', 'rows.csv')],
    [join(folder, 'link.csv')],
    [file, '--journal', join(folder, 'folder', 'rows.csv.cb-journal')],
    [file, '--journal', join(folder, 'journal')],
  ];
  const waits = ['--verify-wait', force.wait, '--timeout', force.timeout, '--concurrency', '32'];
  return (name: number, ...flags: string[]) => {
    const [named = file, ...more] = names[name % names.length] ?? [];
    const results = ['--results', `${file}.results.csv`];
    const args = [...lines[kind](named).split(' '), ...more, ...waits, ...results, ...flags];
    return startProgram(args, { home: folder, env: adversary.env });
  };
}

async function killOften({ file }: Importing, start: ReturnType<typeof starterOf>): Promise<void> {
  const random = randomOf('kills');
  const journal = `${file}.cb-journal`;
  for (let kills = 0; kills < force.kills; kills++) {
    const place = sizeOf(journal) + random() * (100 * (force.rows / force.kills));
    const both = [start(kills), start(kills + 1 + Math.floor(random() * 4))];
    const isRunning = () => both.some(({ child }) => child.exitCode === null);
    const end = performance.now() + 30_000 * force.scale;
    while (sizeOf(journal) <= place && isRunning() && performance.now() < end) {
      await new Promise((done) => setTimeout(done, 5));
    }
    // The journaled rows are now being sent.
    await new Promise((done) => setTimeout(done, 1500 * random() * force.scale));
    for (const { child } of both) child.kill('SIGKILL');
    const ended = await Promise.all(both.map((one) => one.ended()));
    // One of two concurrent imports is rejected and sends nothing.
    for (const { code, err } of ended) if (code === 2) expect(err).toMatch(/cb|journal/);
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
