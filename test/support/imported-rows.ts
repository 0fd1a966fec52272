/** Compares the reports of an import with the actual effects on the adversary. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Adversary } from './adversary.ts';

export interface Importing {
  readonly kind: 'notice' | 'ticket';
  readonly file: string;
  readonly args: readonly string[];
}

/** Writes `count` rows: four notices per receipt, or one refund ticket per receipt. */
export function writeRows(kind: Importing['kind'], file: string, count: number): Importing {
  const rows = Array.from({ length: count }, (_, i) =>
    kind === 'notice' ? `PARCEL${Math.floor(i / 4)},T${i}` : `SALE${i}`,
  );
  const header = kind === 'notice' ? 'receipt,tracking' : 'receipt';
  writeFileSync(file, `${[header, ...rows].join('\n')}\n`);
  return { kind, file, args: argsFor(kind, file) };
}

export function argsFor(kind: Importing['kind'], file: string): string[] {
  const line = {
    notice: `ship notice import ${file} --carrier USPS --date 2026-03-18 --yes`,
    ticket: `tickets create --from ${file} --type rfnd --yes --reason ticket.type.refund.2 --refund-type FULL`,
  };
  return line[kind].split(' ');
}

/** Compares the result file and stderr with the effects on the adversary, row by row. */
export function checkTold({ kind, file }: Importing, { deeds }: Adversary, err: string) {
  const header = readFileSync(file, 'utf8').trimEnd().split('\n');
  const results = readFileSync(`${file}.results.csv`, 'utf8').trimEnd().split('\n').slice(1);
  expect(results).toHaveLength(header.length - 1);
  const times = new Map<string, number>();
  for (const { receipt, query } of deeds) {
    const name = kind === 'notice' ? `${receipt},${query.get('tracking')}` : receipt;
    times.set(name, (times.get(name) ?? 0) + 1);
  }
  const tally = { done: 0, unknown: 0, failed: 0, notSent: 0 };
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
      tally[status.startsWith('failed') ? 'failed' : 'notSent'] += 1;
      expect(count, `line ${number} is told as ${status}`).toBe(0);
    }
  }
  return tally;
}
