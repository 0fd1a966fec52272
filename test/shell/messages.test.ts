/** What messages write to a terminal. */
import { expect, test } from 'vitest';
import { Failure } from '../../src/shell/failure.ts';
import { messagesOf, report } from '../../src/shell/messages.ts';
import { world } from '../support/cb.ts';

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
