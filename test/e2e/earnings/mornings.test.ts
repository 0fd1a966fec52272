/** Two mornings: an affiliate's look at the figures, and a cron line that is silent until something is wrong. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Home, home, type Ran, sandboxHome } from '../../support/cb.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const terminal = { columns: 80, env: { LANG: 'C.UTF-8', NO_COLOR: '1' } };

test('an affiliate sees today, what each tracking ID earned, and whether the rates are fine', async () => {
  const { cb } = await sandboxHome(5000);
  const affiliate = (line: string) => cb(`--profile sandbox:affiliate ${line}`, terminal);

  const today = await affiliate('today');
  expect(today.code).toBe(0);
  expect(today.out).toMatch(/^Earnings today so far, Wed, Mar 18, 2026, 11:30 Pacific\n/);
  expect(today.out).toContain('Account TOPAFF1\n');
  expect(today.out).toContain('Before: Wed, Mar 11, 2026, until 11:30 Pacific.');
  expect(today.out).toMatch(/^Top products +Earned/m);
  expect(today.out).not.toContain('Top affiliates');

  const byLink = await affiliate('summary --by tracking-id --limit 5');
  expect(byLink.code).toBe(0);
  expect(byLink.out).toMatch(/^Tracking ID +Earned +Change % +Net/);
  expect(byLink.out).toMatch(/^TOTAL +\d+\.\d\d/m);
  expect(byLink.err).toContain(
    'Whole days: Feb 17 to Mar 17, 2026. Before: Jan 13 to Feb 10, 2026.',
  );

  const check = await affiliate('check --chargeback-rate 3%');
  expect(check).toMatchObject({ code: 0, out: '' });
  expect(check.err).toMatch(/^All rates are below the limits|^Nothing was checked/);
});

/** The line of cron: no terminal, limits from the settings or options. */
const cronLine =
  '--sandbox check --account GREENLEAF --min-sales 10 --refund-rate 30% --chargeback-rate 20%';

async function refundSales(at: Home): Promise<number> {
  const list = 'orders list --period last-10-days --type SALE --vendor GREENLEAF --role VENDOR';
  const { out } = await at.cb(`--sandbox ${list} -o json`);
  const sales: { readonly receipt: string; readonly customerRefundableState: string }[] =
    JSON.parse(out);
  const receipts = sales
    .filter(({ customerRefundableState }) => customerRefundableState === 'REFUNDABLE')
    .map(({ receipt }) => receipt);
  writeFileSync(join(at.folder, 'refunds.csv'), ['receipt', ...receipts].join('\n'));
  const options = "--type rfnd --reason 'not satisfied' --refund-type full --yes";
  await at.cb(`--sandbox tickets create --from refunds.csv ${options}`);
  await at.cb('--sandbox sandbox clock advance 4d');
  return receipts.length;
}

test('a cron line is silent until the refund rate rises, and then names the account', async () => {
  const at = await sandboxHome(2000);
  const silent: Ran = { code: 0, out: '', err: '' };
  expect(await at.cb(cronLine)).toEqual(silent);

  // A failure that is over after a retry is no news either.
  await at.cb("--sandbox sandbox faults '503=#2'");
  expect(await at.cb(cronLine, { clock: virtualClock() })).toEqual(silent);
  await at.cb('--sandbox sandbox faults off');

  expect(await refundSales(at)).toBeGreaterThan(10);
  const { code, out, err } = await at.cb(cronLine);
  expect({ code, err }).toEqual({ code: 9, err: '' });
  const [header, row, ...others] = out.trim().split('\n');
  expect(header).toMatch(/^scope\tname\ttitle\texceeds\t/);
  expect(row).toMatch(/^account\tGREENLEAF\t\trefund rate\t/);
  expect(others).toEqual([]);

  // A higher limit ends the alarm.
  expect(await at.cb(`${cronLine.replace('30%', '100%')}`)).toEqual(silent);
});

test('a cron line is not silent if ClickBank can not be read', async () => {
  const { env } = await serveSandbox();
  const gone = { ...env, CB_BASE_URL: 'http://127.0.0.1:9' };
  const { code, out, err } = await home().cb('check --max-wait 0', { env: gone });
  expect({ code, out }).toEqual({ code: 6, out: '' });
  expect(err).not.toBe('');
});
