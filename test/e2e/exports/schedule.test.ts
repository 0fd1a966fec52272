/** `--since-last`: each run returns the rows since the last successful run, once. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { home } from '../../support/cb.ts';
import { openShop } from '../../support/shop.ts';

/** A shop that can refuse requests or be slow. */
async function shop() {
  const at = await openShop();
  const state = { fails: false, delay: 0 };
  at.disturb = (reply, body) => {
    if (state.fails) reply.writeHead(404).end();
    else if (state.delay > 0) setTimeout(() => reply.end(body), state.delay);
    return state.fails || state.delay > 0;
  };
  return { ...at, state };
}

const line = 'orders list --since-last sheet --fields receipt -o csv --no-header';

test('returns each order once, also late ones, without messages', async () => {
  const { sell, env, asked } = await shop();
  const { cb, folder } = home();
  sell('FIRST001', '2026-03-17');
  sell('FIRST002', '2026-03-18');
  expect(await cb(line, { env })).toEqual({ code: 0, out: 'FIRST002\nFIRST001\n', err: '' });
  sell('LATE0001', '2026-03-17');
  sell('NEXT0001', '2026-03-18');
  expect(await cb(line, { env })).toEqual({ code: 0, out: 'NEXT0001\nLATE0001\n', err: '' });
  expect(await cb(line, { env })).toEqual({ code: 0, out: '', err: '' });
  const days = asked.map(({ url }) => new URL(url, 'http://x').searchParams.get('startDate') ?? '');
  expect(new Set(days)).toEqual(new Set(['2026-03-18', '2026-03-17']));
  const state = join(folder, '.local/share/clickbank-cli/since/sheet.json');
  expect(readFileSync(state, 'utf8')).not.toContain('FIRST001');
});

test('starts the first run at the given day and the others where the last one ended', async () => {
  const { sell, env, asked } = await shop();
  const { cb } = home();
  for (let day = 1; day <= 18; day++) sell(`DAY${day}`, `2026-03-${String(day).padStart(2, '0')}`);
  const from = `${line} --start-date 2026-03-01`;
  expect((await cb(from, { env })).out.trim().split('\n')).toHaveLength(18);
  const before = asked.length;
  expect((await cb(from, { env })).out).toBe('');
  const days = asked
    .slice(before)
    .map(({ url }) => new URL(url, 'http://x').searchParams.get('startDate'));
  expect(days.sort()).toEqual(['2026-03-17', '2026-03-18']);
});

test('returns rows again that could not be written to their file', async () => {
  const { sell, env } = await shop();
  const { cb, folder } = home();
  sell('FIRST001', '2026-03-18');
  expect(await cb(`${line} --out none/there.csv`, { env })).toMatchObject({ code: 2 });
  expect((await cb(`${line} --out there.csv`, { env })).code).toBe(0);
  expect(readFileSync(join(folder, 'there.csv'), 'utf8')).toBe('FIRST001\n');
});

test('does not let two runs of one schedule overlap', async () => {
  const { sell, env, state } = await shop();
  state.delay = 500;
  const { cb } = home();
  sell('FIRST001', '2026-03-18');
  const runs = await Promise.all([cb(line, { env }), cb(line, { env })]);
  expect(runs.map(({ code }) => code).sort()).toEqual([0, 2]);
  expect(runs.map(({ out }) => out).join('')).toBe('FIRST001\n');
  expect(runs.map(({ err }) => err).join('')).toMatch(
    /Another cb process \(PID \d+ on host .*, `cb orders list …`, since .*\) is using .*sheet\.json/,
  );
});

test('refuses other filters for a name', async () => {
  const { env } = await shop();
  const { cb } = home();
  await cb(line, { env });
  const other = await cb(`${line} --type RFND`, { env });
  expect(other).toMatchObject({ code: 2, err: expect.stringMatching(/belongs to other filters/) });
  expect((await cb('tickets list --since-last sheet', { env })).err).toMatch(
    /belongs to cb orders list/,
  );
});
