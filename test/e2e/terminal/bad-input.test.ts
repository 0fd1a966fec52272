/** Invalid command lines end with an error of at most two lines that names the option, and send nothing. */
import { expect, test } from 'vitest';
import { home } from '../../support/cb.ts';
import { refusalOf } from '../../support/refusal.ts';
import { serve } from '../../support/server.ts';

/** A command line, and what its error must name. */
const invalid: readonly (readonly [line: string, names: RegExp])[] = [
  ['orders list --since 7d --start-date 7d', /--since and --start-date were both given/],
  ['orders list --page 0', /--page.*0/],
  ['orders list --max-pages 0', /--max-pages.*0/],
  ['orders list --concurrency 65', /Invalid --concurrency '65'.*Use a whole number from 1 to 64/],
  ['orders list --role VENDOR --role AFFILIATE', /--role was given twice: VENDOR and AFFILIATE\./],
  ['orders list --role VENDOR --role=VENDOR', /--role was given twice: VENDOR and VENDOR/],
  ['orders list -o json --output csv', /--output was given twice: json and csv/],
  ['--profile a orders list --profile b', /--profile was given twice: a and b/],
  ['--timeout 5 orders list --timeout 6', /--timeout was given twice: 5 and 6/],
  ['orders list --limit 1 --limit 2', /--limit was given twice: 1 and 2/],
  ['analytics trends --role VENDOR --account a --account b', /--account was given twice: a and b/],
  [
    'ship notice add PARCEL01 --fill-order --no-fill-order --date today --carrier USPS',
    /--fill-order and --no-fill-order were both given/,
  ],
  ['orders list --fields receipt --query length(@)', /--query.*--fields/],
  ['orders list --query [?', /--query/],
  [
    'orders list --out orders.ods',
    /Unknown file format '\.ods' in --out orders\.ods\.\s+Use .*\.csv.* -o.*Spreadsheets open xlsx and csv/s,
  ],
  ['orders list --delimiter ;;', /--delimiter/],
  ['orders list --period last-7-days --sandbox --profile shop', /--sandbox.*--profile/],
  ["orders list --email 'a\nb'", /--email.*line break/],
  ['orders get ../../x', /<receipt>/],
  ['orders pause MONTHLY1 --yes', /--restart-date is missing/],
  ['orders change-address SHIPBOX1 --yes', /--address1, --city, --country-code are missing/],
  [
    'tickets create DIGITAL1 --type rfnd --refund-type FULL --reason ticket.type.cancel.1 --yes',
    /--reason must match --type rfnd\.\s+Use one of (ticket\.type\.refund\.[\w.]+ \([^)]+\)(, )?)+\.$/,
  ],
  [`orders list --email ${'x'.repeat(2000)}`, /2000/],
  ['sandbox clock advance 20', /Invalid .*'20'/],
  ['sandbox clock back 2d', /back/],
];

test.each(invalid)('rejects cb %s', async (line, names) => {
  const err = await refusalOf(line);
  expect(err.trimEnd().replaceAll('\n', ' ')).toMatch(names);
  expect(err.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
  expect(err).not.toMatch(/\bat .*\.[jt]s\b/);
});

test('accepts several values of a repeatable option, and a repeated switch', async () => {
  const { env, asked } = await serve((reply) => reply.writeHead(403).end());
  const line =
    'analytics trends --role VENDOR --account a --product-id 1 --product-id 2,3 --start-date 2026-03-01 --end-date 2026-03-02 --no-color --no-color';
  const { err } = await home().cb(line, { env });
  const urls = asked.map(({ url }) => url);
  expect(urls.slice(0, 1), err).toEqual([
    expect.stringContaining('productId=1&productId=2&productId=3'),
  ]);
});

test('ends with exit code 10 instead of sending a write that cannot be confirmed', async () => {
  const { env, asked } = await serve((reply) => reply.writeHead(204).end());
  const { code, err } = await home().cb('orders reinstate CANCEL01', { env });
  expect(code).toBe(10);
  expect(err).toContain('--yes');
  expect(asked).toEqual([]);
});
