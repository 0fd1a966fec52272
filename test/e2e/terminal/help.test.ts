/** The help tells all there is, at any width; that its examples run is for examples.test.ts. */
import { expect, test } from 'vitest';
import { topics } from '../../../src/cli/help/topics.ts';
import { catalogue } from '../../../src/operations/index.ts';
import { home, sandboxHome } from '../../support/cb.ts';

test.each(catalogue.map((operation) => [operation.command, operation] as const))(
  'cb %s --help fits 80 columns and names examples, each flag with its values, and the roles of the key',
  async (command, { params, path, roles }) => {
    const { code, out, err } = await home().cb(`${command} --help`);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Examples');
    expect(out).toMatch(/^More: cb help /m);
    expect(out.split('\n').filter((line) => line.length > 80 && !line.startsWith('  cb '))).toEqual(
      [],
    );
    for (const [name, { values = {}, constant }] of Object.entries(params)) {
      if (constant !== undefined) continue;
      const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      const isArgument = path.includes(`{${name}}`) && !params[name]?.asFlag;
      expect(out).toContain(isArgument ? `[${name}` : `--${flag}`);
      for (const value of Object.keys(values)) expect(out).toContain(value);
    }
    // The help of several generations is that of the latest.
    if (/--generation [12]/.test(command)) return;
    const needs = roles.length > 0 ? `The key needs: ${roles.join(', ')}.` : 'No key is needed.';
    expect(out.replaceAll(/\s+/g, ' ')).toContain(needs);
  },
);

test('a group without a command lists its commands, and cb help prints the same as --help', async () => {
  const { cb } = home();
  expect((await cb('orders')).out).toContain('change-product');
  expect((await cb('help orders list')).out).toBe((await cb('orders list --help')).out);
});

test('Flags stand under what to ask, how to show it, and everything else, in this order', async () => {
  const { out } = await home().cb('orders list --help');
  const headings = [...out.matchAll(/^[A-Z].*:$/gm)].map(([line]) => line);
  expect(headings.slice(0, 3)).toEqual(['What to ask:', 'How to show it:', 'Everything else:']);
});

test.each(topics)('cb help %s fits 40, 80 and 200 columns', async (topic) => {
  for (const columns of [40, 80, 200]) {
    const { code, out } = await home().cb(`help ${topic}`, { columns });
    expect(code).toBe(0);
    const tooLong = out.split('\n').filter((line) => line.length > Math.min(columns, 110));
    expect(tooLong.filter((line) => !line.startsWith('  cb '))).toEqual([]);
  }
});

test('cb help credentials describes each role', async () => {
  const { out } = await home().cb('help credentials');
  for (const role of new Set(catalogue.flatMap(({ roles }) => roles))) {
    expect(out).toMatch(new RegExp(`^  ${role} +\\w`, 'm'));
  }
});

test('cb help exit-codes lists every exit code', async () => {
  const { cb } = home();
  const { out } = await cb('help exit-codes');
  for (const code of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 129, 130, 143]) {
    expect(out).toMatch(new RegExp(`^ *${code}  `, 'm'));
  }
});

test.each([
  ['ordres list', 'orders'],
  ['order', 'orders'],
  ['orders lst', 'list'],
  ['orders list --start-dat 2026-01-01', '--start-date'],
  ['orders list --type SALES', 'SALE'],
  ['orders list --period last-30-dyas', 'last-30-days'],
  ['orders list -o jsn', 'json'],
  ['orders list --fields recipt', 'receipt'],
  ['orders list --fields lineItemData.itmNo', 'lineItemData.itemNo'],
  ['analytics dimension COUNTRY --role VENDOR --account A', 'CUSTOMER_COUNTRY'],
  ['help date', 'dates'],
  ['help orders lst', 'list'],
  ['ordres --help', 'orders'],
  ['orders lst --help', 'list'],
  ['analytics subscriptions by-statu -h', 'by-status'],
  ['config get pase', 'pace'],
  ['completion fihs', 'fish'],
])('cb %s asks whether %s was meant, and sends nothing', async (line, meant) => {
  const { cb } = await sandboxHome(60);
  const { code, err } = await cb(line, { env: { CB_PROFILE: 'sandbox' } });
  expect(code).toBe(2);
  expect(err).toMatch(new RegExp(`[Dd]id you mean ${meant}\\?`));
});
