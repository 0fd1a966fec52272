/**
 * Every operation of the catalogue as raw HTTP, which test/operations compares with the specification: an accepted
 * request, and refusals of keys, accounts, receipts, and values that are missing, malformed, too small or too large.
 */
import { expect } from 'vitest';
import { catalogue } from '../../src/operations/index.ts';
import type { Param } from '../../src/operations/operation.ts';
import { goodValues, isInPath, sendTo, type Values } from './good-request.ts';
import { getJson, keyed, rowsIn, test } from './raw.ts';

/** Fails unless the request has the status, and its text names `says`, which no response to HEAD has. */
type Expect = (values: Values, status: number, says?: string, headers?: Values) => Promise<void>;

test.for(catalogue)('requires the key and roles of $command', async (operation, { sandbox }) => {
  const send = (headers: Values) => sendTo(sandbox, operation, goodValues(operation), headers);
  if (operation.returns.kind === 'schema') {
    const headers = { Accept: 'application/xml', Authorization: '' };
    const { status, text } = await send(headers);
    expect([status, text]).toEqual([200, expect.stringContaining('<xs:schema')]);
    return;
  }
  expect((await send({ Authorization: 'API-UNKNOWN' })).status).toBe(401);
  const lacking = sandbox.keys.filter(({ roles }) => {
    return operation.roles.some((role) => !roles.includes(role));
  });
  expect(lacking.length).toBeGreaterThan(0);
  for (const { name, roles } of lacking) {
    const { status, text } = await send(keyed(sandbox, name));
    const missing = operation.roles.filter((role) => !roles.includes(role)).join(', ');
    const says = operation.method === 'HEAD' ? '' : `has no permission: ${missing}`;
    expect([name, status, text]).toEqual([name, 403, expect.stringContaining(says)]);
  }
  const able = sandbox.keys.filter((key) => key.accounts.length > 1 && !lacking.includes(key));
  // The last one has the fewest other permissions.
  const { name = '' } = able.at(-1) ?? {};
  const { status, text } = await send({ Accept: '*/*', ...keyed(sandbox, name) });
  expect([status < 300, text]).toEqual([true, text]);
});

const MALFORMED: Readonly<Record<Param['kind'], string | undefined>> = {
  ...{ text: undefined, choice: 'NONSENSE', integer: '1.5', decimal: 'ten', boolean: 'perhaps' },
  date: '2026-02-30',
};

/** These values have no effect, or find nothing. */
const TOLERATED = /^(type|role) of orders (list|count)$/;

test.for(catalogue)('refuses wrong values of $command', async (operation, { sandbox }) => {
  const good = goodValues(operation);
  const expectAnswer: Expect = async (values, status, says = '') => {
    const found = await sendTo(sandbox, operation, values);
    const text = operation.method === 'HEAD' ? '' : says;
    const expected = [values, status, expect.stringContaining(text)];
    expect([values, found.status, found.text]).toEqual(expected);
  };
  const foreign = { account: 'NOTMINE', site: 'NOTMINE', receipt: 'NOSUCH99' };
  for (const [name, value] of Object.entries(foreign)) {
    const isForeign = name in good && (name !== 'receipt' || isInPath(operation, name));
    if (isForeign) await expectAnswer({ ...good, [name]: value }, 403);
  }
  if ('startDate' in operation.params) {
    const reversed = { receipt: '', startDate: '2026-02-02', endDate: '2026-02-01' };
    await expectAnswer({ ...good, ...reversed }, 400, 'endDate');
  }
  for (const [name, param] of Object.entries(operation.params)) {
    const { [name]: _, ...others } = good;
    const isTyped = param.constant === undefined && !isInPath(operation, name) && !param.lenient;
    if (isTyped && param.required) await expectAnswer(others, 400, name);
    const { min = Number.NaN, max = Number.NaN } = param;
    for (const beyond of [min - 1, max + 1].filter(Number.isFinite)) {
      await expectAnswer({ ...good, [name]: `${beyond}` }, 400, name);
    }
    const malformed = MALFORMED[param.kind];
    if (!isTyped || malformed === undefined) continue;
    if (TOLERATED.test(`${name} of ${operation.command}`)) continue;
    await expectAnswer({ ...good, [name]: malformed }, 400, name);
  }
});

test('returns an empty page past the end of a list', async ({ sandbox }) => {
  for (const path of ['orders2', 'tickets', 'shipping', 'shipping2', 'shipping3']) {
    const response = await getJson(sandbox, `/rest/1.3/${path}/list`, { Page: '99' });
    expect([path, response.status, rowsIn(response)]).toEqual([path, 200, []]);
  }
});
