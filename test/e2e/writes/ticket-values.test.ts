/** What people type for the values of a ticket: types, reasons and amounts in words. */
import { expect, test } from 'vitest';
import { sandboxHome } from '../../support/cb.ts';
import { pairsIn } from '../../support/pairs.ts';
import { person } from '../../support/person.ts';
import { asOneLine, refusalOf } from '../../support/refusal.ts';

const create = '--sandbox tickets create digital1';

test.each([
  [
    "--type refund --reason 'not satisfied' --refund-type full",
    { type: 'rfnd', reason: 'ticket.type.refund.2', refundType: 'FULL' },
  ],
  [
    '--type refund --reason 2 --refund-type partial --refund-amount 50%',
    {
      type: 'rfnd',
      reason: 'ticket.type.refund.2',
      refundType: 'PARTIAL_PERCENT',
      refundAmount: '50',
    },
  ],
  [
    '--type RFND --reason refund.8 --refund-type amount --refund-amount 10',
    {
      type: 'rfnd',
      reason: 'ticket.type.refund.8',
      refundType: 'PARTIAL_AMOUNT',
      refundAmount: '10',
    },
  ],
  [
    "--type tech-support --reason 'cannot log in'",
    { type: 'tech', reason: 'ticket.type.tech_support.1' },
  ],
])('cb tickets create %s sends the values of the service', async (options, query) => {
  const { cb } = await sandboxHome(60);
  const { code, out, err } = await cb(`${create} ${options} --dry-run -o json`);
  expect({ code, err }).toMatchObject({ code: 0 });
  expect(JSON.parse(out).request).toMatchObject({ path: '/rest/1.3/tickets/DIGITAL1', query });
});

/** Options, and below them what is said about them. */
const refused = pairsIn(`
--type refund --refund-type full
  --reason is missing. Values of --reason: 1 (product never received), 2 (
--type cancel
  --reason is missing. Values of --reason: 1 (no additional value
--reason 2
  --type is missing. Values of --type: rfnd (refund
--type refund --refund-type full --reason compatible
  Ambiguous --reason 'compatible'. Use 3 (not compatible with computer) or not.mobile (
--type refund --refund-type full --reason satisfide
  Invalid --reason 'satisfide'. Use 1 (product never received), 2 (
--type refund --reason 2 --refund-type partial --refund-amount 50
  Ambiguous --refund-type 'partial'. Use PARTIAL_PERCENT (
--type refund --reason 2 --refund-type full --refund-amount 50%
  --refund-amount 50% can't be combined with --refund-type full.
--type refun --reason 2
  Use one of rfnd, cncl, tech.
--type subscription --reason other
  Use one of rfnd, cncl, tech.
`);

test.each(refused)(
  'cb tickets create %s is refused before anything is sent',
  async (options, says) => {
    expect(asOneLine(await refusalOf(`tickets create DIGITAL1 ${options} --yes`))).toContain(says);
  },
);

test('a reason in words waits for the type that the person picks', async () => {
  const { cb } = await sandboxHome(60);
  const somebody = person('tech');
  const line = `${create} --reason 'download problems' --dry-run -o json`;
  const { out } = await cb(line, { columns: 80, person: somebody });
  expect(somebody.asked).toHaveLength(1);
  expect(out).toContain('ticket.type.tech_support.2');
});

test('no ID is acted on twice, however it is typed', async () => {
  const { cb } = await sandboxHome(60);
  const { out } = await cb('--sandbox tickets comment 1001 1001 --comment Hi --dry-run -o json');
  expect(JSON.parse(out).request).toMatchObject({ path: '/rest/1.3/tickets/1001' });
});

test('names the items of an order when a refund names none', async () => {
  const { cb } = await sandboxHome(60);
  const line =
    '--sandbox tickets create PARCEL02 --type refund --reason 2 --refund-type full --dry-run';
  const { code, err } = await cb(line);
  expect(code).toBe(4);
  expect(asOneLine(err)).toContain(
    'PARCEL02 has the items TROWEL, GLOVES, KIT-01. Pass --sku to name one of them.',
  );
  expect(err.match(/sku is required/g)).toHaveLength(1);
});
