/** A value that is missing never turns the next word into something else, and nothing is sent. */
import { expect, test } from 'vitest';
import { home, sandboxHome } from '../../support/cb.ts';
import { refusalOf } from '../../support/refusal.ts';

test.each([
  // MSG="" in: tickets comment --comment $MSG --no-input 1003 1001 --yes
  ['tickets comment --comment --no-input 1003 1001 --yes', '--comment'],
  ['tickets comment --comment -o json 1003 1001 --yes', '--comment'],
  ['tickets comment --comment --csv 1003 1001 --yes', '--comment'],
  ['tickets comment --comment --sandbox 1003 1001 --yes', '--comment'],
  ['tickets comment --comment --timeout 5s 1003 1001 --yes', '--comment'],
  ['tickets comment --comment --profile x 1003 1001 --yes', '--comment'],
  ['--comment --no-input tickets comment 1003 1001 --yes', '--comment'],
  ['tickets comment 1001 --comment -n1003 1003 --yes', '--comment'],
  ['products delete --site --json CLUB-M GREENLEAF --yes', '--site'],
  ['orders pause --sku --no-input MONTHLY1 CANCEL01 --restart-date 2026-05-01 --yes', '--sku'],
  ['tickets comment --yes --comment -- 1003', '--comment'],
  ['tickets comment 1003 --yes --comment', '--comment'],
])('cb %s: says that %s needs a value, and sends nothing', async (line, option) => {
  expect(await refusalOf(line)).toContain(`${option} needs a value.`);
});

test('a value that looks like an option is attached to its own', async () => {
  const { cb } = await sandboxHome();
  const { code, out } = await cb('--sandbox tickets comment --comment=--json 1003 --dry-run');
  expect(code).toBe(0);
  expect(out).toContain('comment=--json');
  expect((await cb('--sandbox tickets comment --comment -hello 1003 --dry-run')).out).toContain(
    'comment=-hello',
  );
  const attached = await cb('--sandbox tickets comment 1001 --comment=-n5 --dry-run');
  expect(attached.out).toBe('PUT /rest/1.3/tickets/1001\n  comment=-n5\n');
});

test('reads refuse a missing value in the same words', async () => {
  expect(await refusalOf('orders list --period --no-input today')).toMatch(
    /^cb: --period needs a value\.\n/,
  );
});

test.each([
  ['tickets comment 1,50 --comment x --yes', '1 50'],
  ['tickets close 1001,1003 --yes', '1001 1003'],
])('cb %s: refuses a comma between IDs, and says to use spaces', async (line, spaced) => {
  expect(await refusalOf(line)).toContain(`separate them with spaces: ${spaced}`);
});

test.each([
  ['close ticket 1001 --yes', 'tickets close 1001 --yes'],
  ['close ticket 1001', 'tickets close 1001'],
  ['product rm CLUB-M --site GREENLEAF --yes', 'products delete CLUB-M --site GREENLEAF --yes'],
  ['pause order MONTHLY1 --restart-date 2026-05-01', 'orders pause MONTHLY1'],
])(
  'cb %s: another spelling of a write is not run, and cb names the command',
  async (line, meant) => {
    expect(await refusalOf(line)).toContain(`Did you mean cb ${meant}`);
  },
);

test.each(['remove replies thanks', 'replies rm thanks', 'rm alias week', 'alias remove week'])(
  'cb %s: deletes nothing, because it is another spelling',
  async (line) => {
    const { cb } = home();
    await cb("replies add thanks 'Thank you'");
    await cb("alias set week 'orders list'");
    const { code, err } = await cb(line);
    expect({ line, code }).toEqual({ line, code: 2 });
    expect(err).toContain('Nothing was sent. Did you mean cb ');
    expect((await cb('replies list')).out).toContain('thanks');
    expect((await cb('alias list')).out).toContain('week');
  },
);

test('an alias is expanded once, after options of cb whose values are no aliases', async () => {
  const { cb } = await sandboxHome();
  await cb("alias set answer 'tickets comment --comment thanks'");
  await cb("alias set json 'tickets close 1003'");
  const direct = await cb('--sandbox tickets comment --comment thanks 1003 --dry-run');
  expect(await cb('--timeout 30s --sandbox answer 1003 --dry-run')).toEqual(direct);
  const { out } = await cb('-o json --sandbox answer 1003 --dry-run');
  expect(JSON.parse(out).request).toMatchObject({ path: '/rest/1.3/tickets/1003' });
  expect((await cb('--sandbox tickets comment 1003 --comment answer --dry-run')).out).toContain(
    'comment=answer',
  );
});
