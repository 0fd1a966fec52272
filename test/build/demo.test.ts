/** The tour of `npm run demo`. */
import { expect, test } from 'vitest';
import { runOnScreen, type Screen } from '../../src/build/screen.ts';
import { secondsToRead, stops, tour } from '../../src/build/tour.ts';
import { displayWidth } from '../../src/output/table/display-width.ts';
import { sandboxHome } from '../support/cb.ts';
import { tier } from '../support/tier.ts';

async function tourParts(columns: number): Promise<string[]> {
  const { folder } = await sandboxHome(5000);
  const screen: Screen = {
    home: folder,
    columns,
    now: () => new Date('2026-03-18T18:30:00Z'),
    env: { NO_COLOR: '1' },
  };
  await runOnScreen(screen, 'cb sandbox status');
  const parts: string[] = [];
  for await (const part of tour(screen)) parts.push(part);
  return parts;
}

/** What each part must show, by its title. */
const shows: Readonly<Record<string, RegExp>> = {
  'A list': /\n.*Receipt +.*\n(.+ (SALE|BILL|RFND|CGBK) .+\n){5}/,
  'A chart': /\n(\w.* +\d+\.\d\d +[█▏▎▍▌▋▊▉]+\n){5}/,
  'A receipt': /\nReceipt +DIGITAL1\n[\s\S]*37\.00[\s\S]*ada\.sample@example\.com/,
  'An export': /\ntransactionTime,receipt,[\s\S]*\n\d{3,} orders\.csv\n/,
  'A refund, tried out': /Refund 37\.00 USD to "Ada Sample"[\s\S]*\nPOST .*\/tickets\/DIGITAL1\n/,
  'A mistake': /\ncb: .*[Uu]nknown command 'ordres'[\s\S]*orders/,
};

test.each(tier([80], [80, 100]))(
  'explains and shows a list, a chart, a receipt, an export, a dry run and a mistake in %i columns',
  async (columns) => {
    expect(stops.map(({ title }) => title)).toEqual(Object.keys(shows));
    const parts = await tourParts(columns);
    const seconds = parts.map(secondsToRead).reduce((sum, one) => sum + one);
    expect(seconds).toBeGreaterThan(40);
    expect(seconds).toBeLessThan(70);
    const lines = parts.join('').split('\n');
    // `npm run demo` prints one more line first.
    expect(lines.length).toBeLessThan(80);
    expect(lines.filter((line) => displayWidth(line) > columns)).toEqual([]);
    const text = lines.join('\n');
    for (const [index, { title, why }] of stops.entries()) {
      const start = text.indexOf(`\n${index + 1}. ${title}\n${why}\n`);
      const end = text.indexOf(`\n${index + 2}. `);
      const part = text.slice(start, end < 0 ? undefined : end);
      expect(start, title).toBeGreaterThanOrEqual(0);
      expect(part).toMatch(shows[title] ?? /^never/);
    }
    expect(text).toMatch(/\nNext: .*\n$/);
  },
);
