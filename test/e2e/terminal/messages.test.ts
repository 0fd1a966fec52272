/** How errors, warnings and notes look on stderr. */
import { expect, test } from 'vitest';
import { Failure } from '../../../src/shell/failure.ts';
import { messagesOf, report } from '../../../src/shell/messages.ts';
import { home, world } from '../../support/cb.ts';

const unknownProfile = '--profile shop orders list --period today';

test('prints an error as two lines: what happened, and what to do', async () => {
  const { code, err } = await home().cb('orders list --period today');
  expect(code).toBe(3);
  expect(err).toBe(
    'cb: There is no API key yet.\n    Store yours with `cb login`, or add --sandbox to use sample orders. Scripts can set CB_API_KEY.\n',
  );
});

test('wraps an error between words on a terminal, but not in a pipe', async () => {
  const { cb } = home();
  const narrow = await cb('orders list --period today --no-color', { columns: 40 });
  expect(narrow.err.split('\n')).toEqual([
    'cb: There is no API key yet.',
    '    Store yours with `cb login`, or add',
    '    --sandbox to use sample orders.',
    '    Scripts can set CB_API_KEY.',
    '',
  ]);
  const long = `orders list --period '${'no such period '.repeat(20)}'`;
  const piped = await cb(`${long} --sandbox`);
  expect(piped.err.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
});

test('prints an error as one object on one line with -o json, also on a terminal', async () => {
  const { err } = await home().cb(`${unknownProfile} -o json`, { columns: 40 });
  expect(JSON.parse(err)).toEqual({
    code: 3,
    message: "There is no profile 'shop'.",
    hint: expect.stringContaining('sandbox'),
    status: null,
    next: 'cb login --profile shop',
  });
  expect(err.trimEnd()).not.toContain('\n');
});

const noKey = 'orders list --period today';
const oddKey = { CB_API_KEY: 'UNKNOWN', CB_BASE_URL: 'http://127.0.0.1:9' };

test.each<[string, object, string]>([
  [noKey, {}, '\n\u001b[31mcb:\u001b[39m There'],
  [noKey, { NO_COLOR: '1' }, '\ncb: There'],
  [`${noKey} --no-color`, {}, '\ncb: There'],
  [`${noKey} --max-wait 0`, oddKey, '\n\u001b[33mwarning:\u001b[39m CB_API_KEY does'],
  // A command to copy stays on one line.
  [`${unknownProfile} --no-color`, {}, '\n    Try: cb login --profile shop\n'],
])('prints labels on a terminal in color unless it is off: cb %s, %j', async (line, env, says) => {
  const { err } = await home().cb(line, { env: { ...env }, columns: 30 });
  expect(`\n${err}`).toContain(says);
});

test('a failure replaces the status line, and begins on a line of its own', () => {
  const { context, stderr } = world('', { columns: 80, env: { NO_COLOR: '1' } });
  messagesOf(context).status('Sending …');
  report(context, new Failure(10, 'Plan k7qd-3mxp-9ftw has expired.'), {
    json: false,
    debug: false,
    color: false,
  });
  expect(stderr.text.split('\r\x1b[K')).toEqual([
    '',
    'Sending …',
    'cb: Plan k7qd-3mxp-9ftw has expired.\n',
  ]);
});
