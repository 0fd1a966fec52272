/** `--chart` and sparklines, on a terminal and in a pipe. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Options, sandboxHome } from '../../support/cb.ts';
import { sandboxJson } from '../../support/sandbox.ts';

const utf8 = { LANG: 'en_GB.UTF-8' };
const person: Options = { columns: 100, env: utf8 };

const stats = '--sandbox quickstats list --period last-14-days';
const dimension =
  '--sandbox analytics dimension TRACKING_ID --role VENDOR --account GREENLEAF --period last-month';
const trends =
  '--sandbox analytics trends --role VENDOR --account GREENLEAF --period last-month --group-by DATE';

type Shown = Readonly<Record<string, string | number>>;

test('draws sales, refunds and chargebacks with their exact range for cb quickstats list --chart', async () => {
  const { cb } = await sandboxHome();
  const days = new Map<string, number>();
  for (const { quickStatDate, sale } of JSON.parse((await cb(`${stats} -o json`)).out) as Shown[]) {
    const day = String(quickStatDate);
    days.set(day, (days.get(day) ?? 0) + Math.round(Number(sale) * 100));
  }
  const cents = [...days.values()];
  const text = (sum: number) => (sum / 100).toFixed(2);
  const { code, out, err } = await cb(`${stats} --chart --no-color`, person);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(days.size).toBe(14);
  expect(out).toContain(`━ Sale  ${text(Math.min(...cents))} to ${text(Math.max(...cents))}\n`);
  expect(out).toMatch(/03-06 .* 03-18\n/);
  expect(out).toMatch(/─ Refund .*\n═ Chargeback .*\n$/);
});

test('shows no zeros for days and accounts that --limit leaves out', async () => {
  const { cb } = await sandboxHome();
  const best = `${stats} --sort sale:desc --limit 4 --no-color`;
  expect((await cb(`${best} --chart sale`, person)).out).not.toMatch(/ 0\S* to /);
  expect((await cb(best, person)).out).not.toMatch(/ a day$/m);
  const { out } = await cb(`${stats} --limit 20 --no-color`, person);
  expect(out).toMatch(/^Day +Nickname +Sale/m);
});

test('draws charts as wide as the terminal and in color; in a pipe or a file 80 columns wide and without color', async () => {
  const { cb, folder } = await sandboxHome();
  const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));
  for (const columns of [50, 100, 160]) {
    const { out } = await cb(`${stats} --chart --no-color`, { columns, env: utf8 });
    expect(widest(out)).toBe(columns);
    expect(out).not.toContain('\u001b[');
  }
  expect((await cb(`${stats} --chart`, person)).out).toContain('\u001b[');
  const piped = await cb(`${stats} --chart`, { env: utf8 });
  expect(await cb(`${stats} --chart --out sales.txt`, person)).toMatchObject({ code: 0, out: '' });
  for (const text of [piped.out, readFileSync(join(folder, 'sales.txt'), 'utf8')]) {
    expect(widest(text)).toBe(80);
    expect(text).toContain('\n━ Sale  ');
    expect(text).not.toContain('\u001b[');
  }
});

test('draws charts in ASCII without UTF-8 or on a dumb terminal', async () => {
  const { cb } = await sandboxHome();
  const environments = [{}, { LANG: 'C' }, { ...utf8, LC_ALL: 'POSIX' }, { ...utf8, TERM: 'dumb' }];
  for (const env of environments) {
    const { out } = await cb(`${stats} --chart`, { columns: 80, env: { ...env, NO_COLOR: '1' } });
    expect(out).toMatch(/^[ -~\n]+$/);
    expect(out).toContain('* Sale  ');
  }
});

test('draws bars for each account, and profile if there are several, with the amounts of the table for cb quickstats count --chart', async () => {
  const at = await sandboxHome();
  const count = 'quickstats count --period last-month';
  const [first]: Shown[] = await sandboxJson(at, count);
  const { out } = await at.cb(`--sandbox ${count} --chart`, { env: utf8 });
  expect(out).toMatch(new RegExp(`^${first?.nickName} +Sale +[\\d,]+\\.\\d\\d +█`));
  expect(Number(/^\S+ +Sale +(\S+)/.exec(out)?.[1]?.replaceAll(',', ''))).toBe(first?.sale);
  const profiles = '--profile sandbox,sandbox:read-only';
  const both = await at.cb(`quickstats count ${profiles} --account GREENLEAF --chart sale`);
  const names = [...both.out.matchAll(/^(\S+ GREENLEAF) /gm)].map(([, name]) => name);
  expect(names).toEqual(['sandbox GREENLEAF', 'sandbox:read-only GREENLEAF']);
});

/** The bars of a chart: their names and figures. */
function barsOf(out: string): string[][] {
  return [...out.matchAll(/^(\S+(?: \S+)*) {2,}(\d[\d.,]*)(?: |$)/gm)].map(
    ([, name = '', figure = '']) => [name, figure.replaceAll(',', '')],
  );
}

test('draws one bar per value of the wanted figure, largest first or in the requested order, for cb analytics dimension --chart', async () => {
  const { cb } = await sandboxHome();
  const rows: Shown[] = JSON.parse((await cb(`${dimension} -o json`)).out);
  const { out } = await cb(`${dimension} --chart`, { env: utf8 });
  expect(out).toMatch(/^Sale amount\n/);
  const expected = rows
    .map(({ dimensionValue, SALE_AMOUNT }) => [dimensionValue, Number(SALE_AMOUNT)])
    .sort(([, a], [, b]) => Number(b) - Number(a));
  expect(barsOf(out).map(([name, amount]) => [name, Number(amount)])).toEqual(expected);
  const ordered = `${dimension} --order-by SALE_COUNT --sort-ascending`;
  const bars = barsOf((await cb(`${ordered} --chart`)).out);
  const sent: Shown[] = JSON.parse((await cb(`${ordered} -o json`)).out);
  expect(bars.map(([name]) => name)).toEqual(sent.map((row) => row.dimensionValue));
  // The named figure, else that of --order-by, else the first selected one.
  const title = async (flags: string) => (await cb(`${dimension} ${flags}`)).out.split('\n')[0];
  expect(await title('--chart HOP_COUNT')).toBe('Hop count');
  expect(await title('--chart=HOP_COUNT --order-by SALE_COUNT')).toBe('Hop count');
  expect(await title('--chart --order-by SALE_COUNT')).toBe('Sale count');
  expect(await title('--chart --select REFUND_COUNT,HOP_COUNT')).toBe('Refund count');
});

test('draws a line per product by day, otherwise bars, for cb analytics trends --chart', async () => {
  const { cb } = await sandboxHome();
  const rows: Shown[] = JSON.parse((await cb(`${trends} -o json`)).out);
  const items = [...new Set(rows.map(({ itemNo }) => itemNo))];
  const { out } = await cb(`${trends} --chart`, { env: utf8 });
  expect(out).toMatch(/^Net sales\n/);
  expect([...out.matchAll(/^[━─═╍┄] (\S+) /gm)].map(([, item]) => item)).toEqual(items);
  const whole = trends.replace(' --group-by DATE', '');
  const bars = barsOf((await cb(`${whole} --chart totalSalesCnt`)).out);
  const sums: Shown[] = JSON.parse((await cb(`${whole} -o json`)).out);
  expect(bars).toEqual(sums.map((row) => [row.itemNo, String(row.totalSalesCnt)]));
});

test('ends a quickstats table with sparklines on a terminal with UTF-8', async () => {
  const { cb } = await sandboxHome();
  const { out } = await cb(stats, person);
  expect(out).toMatch(
    /TOTAL .*\n\nSale {8}[▁▂▃▄▅▆▇█]{14} {2}.* a day\nRefund .* a day\nChargeback .* a day\n$/,
  );
  for (const [line, options] of [
    [`${stats} -o table`, { env: utf8 }],
    [stats, { columns: 100, env: { LANG: 'C' } }],
    [`${stats} -o csv`, person],
    [`${stats} -o json`, person],
    [`${stats} --fields sale`, person],
    ['--sandbox quickstats count', person],
    ['--sandbox quickstats list --period today', person],
  ] as const) {
    const without = expect.not.stringMatching(/[▁▂▃▄▅▆▇█]/);
    expect(await cb(line, options)).toMatchObject({ code: 0, out: without });
  }
});
