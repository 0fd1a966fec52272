/** Irreversible writes: no duplicates, no surprises, and lost responses are reported. */
import { expect, test } from 'vitest';
import { home } from '../../support/cb.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

async function served(faults?: string) {
  const { sandbox, env, writes } = await serveSandbox();
  const at = home();
  const clock = virtualClock();
  if (faults) sandbox.setFaults(faults);
  return {
    ...{ ...at, sandbox, env, clock },
    on: (line: string) => at.cb(`${line} --max-wait 5`, { env, clock }),
    writes: () => writes().map(({ method, path }) => `${method} ${path.split('?')[0]}`),
  };
}

const refund =
  'tickets create DIGITAL1 --type rfnd --refund-type FULL --reason ticket.type.refund.2 --yes';
const changeAddress =
  "orders change-address SHIPBOX1 --address1 '1 Main St' --city Boise --country-code US --yes";
const notice = 'ship notice add PARCEL01 --date today --carrier USPS --tracking T1 --yes';

async function count(at: Awaited<ReturnType<typeof served>>, line: string): Promise<number> {
  return JSON.parse((await at.on(`${line} -o json`)).out).length;
}

test.each([
  [
    refund,
    'tickets list --receipt DIGITAL1 --type rfnd',
    /DIGITAL1 already has an open REFUND ticket/,
  ],
  [notice, 'ship notice list PARCEL01', /PARCEL01 already has a ship notice with USPS T1/],
])('does not repeat %s', async (line, list, words) => {
  const at = await served();
  expect((await at.on(line)).code).toBe(0);
  const again = await at.on(line);
  expect(again).toMatchObject({ code: 4, err: expect.stringMatching(words) });
  expect(again.err).toContain('--allow-duplicate');
  expect(at.writes()).toHaveLength(1);
  expect(await count(at, list)).toBe(1);
});

test('sends a duplicate with --allow-duplicate, and the service decides', async () => {
  const at = await served();
  await at.on(notice);
  expect((await at.on(`${notice} --allow-duplicate`)).code).toBe(0);
  expect(await count(at, 'ship notice list PARCEL01')).toBe(2);
  await at.on(refund);
  const again = await at.on(`${refund} --allow-duplicate`);
  expect(again.code).toBe(4);
  expect(again.err).toContain('Refund ticket already open');
});

test.each([
  [refund, 'DIGITAL1'],
  [notice, 'PARCEL01'],
  ['tickets close 1001 --yes', 'CLOSED'],
  ['orders pause MONTHLY1 --restart-date +45d --yes', '"done": true'],
  ['products delete GUIDE-01 --site GREENLEAF --yes', '"done": true'],
])('verifies %s by reading back when the response is lost', async (line, shown) => {
  const at = await served('cut-after=#1,only=POST,only=PUT,only=DELETE');
  const { code, out, err } = await at.on(`${line} -o json`);
  expect(err).toContain('The response was unclear, but a check found that the write is done.');
  expect(code).toBe(0);
  expect(out).toContain(shown);
  expect(at.writes()).toHaveLength(1);
});

test.each(['503=#1,only=POST', '504=#1,only=POST', 'cut-before=#1,only=POST'])(
  'searches for 10 s after %s, then reports an unknown outcome with exit code 8',
  async (faults) => {
    const at = await served(faults);
    const failed = await at.on(notice);
    expect(failed.code).toBe(8);
    expect(failed.err).toMatch(/outcome is unknown.*before you run it again/s);
    expect(failed.err).not.toMatch(/safe to repeat|not done/);
    expect(at.clock.waited).toBeGreaterThanOrEqual(10_000);
    expect(at.writes().length).toBeLessThanOrEqual(1);
  },
);

test('searches for a write for the time of --verify-wait', async () => {
  const at = await served('503=#1,only=POST');
  expect((await at.on(`${notice} --verify-wait 30s`)).code).toBe(8);
  expect(at.clock.waited).toBeGreaterThanOrEqual(30_000);
  expect(at.clock.waited).toBeLessThan(40_000);
});

test.each(['soon', '61m', '-1s'])(
  'rejects --verify-wait %s before sending anything',
  async (time) => {
    const at = await served();
    const ran = await at.on(`${notice} --verify-wait=${time}`);
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining('Invalid --verify-wait') });
    expect(at.sandbox.requests).toEqual([]);
  },
);

test.each([
  ['400', 'ship notice add PARCEL01 --date 2020-01-01 --carrier USPS --tracking T1 --yes'],
  ['403', 'ship notice add NOSUCH01 --date today --carrier USPS --tracking T1 --yes'],
])('says that a write refused with %s is not done', async (status, line) => {
  const ran = await (await served()).on(line);
  expect(ran.code).toBe(4);
  expect(ran.err).toMatch(new RegExp(`Not done: .*${status}`));
});

test('says that a write is not done if the connection is refused', async () => {
  const { cb } = home();
  const env = { CB_BASE_URL: 'http://127.0.0.1:1', CB_API_KEY: 'API-NOBODY' };
  const ran = await cb(`${changeAddress} --max-wait 0`, { env, clock: virtualClock() });
  expect(ran).toMatchObject({ code: 6, err: expect.stringContaining('Not done: ') });
});

test('ends with exit code 8 if a write with a lost response cannot be verified', async () => {
  const at = await served('cut-after=#1,only=POST');
  const ran = await at.on(changeAddress);
  expect(ran.code).toBe(8);
  expect(ran.err).toMatch(/outcome is unknown.*before you run it again/s);
  expect(ran.err).toContain('orders do not show the shipping address');
  expect(at.writes()).toHaveLength(1);
});

test.each(['503=#1,only=POST', 'cut-after=#1,only=POST'])(
  'ends cb api with exit code 8 and an unknown outcome after %s',
  async (faults) => {
    const at = await served(faults);
    const ran = await at.on('api POST /1.3/orders2/CANCEL01/reinstate --yes');
    expect(ran.code).toBe(8);
    expect(ran.err).toMatch(/is unknown.*before you run it again/s);
    expect(at.writes().length).toBeLessThanOrEqual(1);
  },
);

test('finds a write that is done after its request timed out', async () => {
  const at = await served('latency=700ms,only=POST');
  const ran = await at.cb(`${notice} --timeout 0.2`, { env: at.env });
  expect(ran.err).toContain('The response was unclear, but a check found that the write is done.');
  expect(ran.code).toBe(0);
  expect(at.writes()).toHaveLength(1);
});
