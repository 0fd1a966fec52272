/** How often a command opens the database of the sandbox. */
import type Driver from 'libsql';
import { expect, test, vi } from 'vitest';
import { sandboxHome } from '../../support/cb.ts';

const connections = vi.hoisted(() => ({ opened: [] as string[], open: 0 }));

/** The real driver with a counter. */
vi.mock('libsql', async (importOriginal) => {
  const original = await importOriginal<{ default: typeof Driver }>();
  class CountedDriver extends original.default {
    constructor(file: string) {
      super(file);
      connections.opened.push(file);
      connections.open += 1;
    }
    override close(): this {
      connections.open -= 1;
      return super.close();
    }
  }
  return { default: CountedDriver };
});

async function opensOf(line: string) {
  const { cb } = await sandboxHome(60);
  connections.opened.length = 0;
  const { code } = await cb(line);
  return { code, opened: connections.opened.length, open: connections.open };
}

test.each([
  '--sandbox orders list',
  '--sandbox orders list --period today -o csv',
  '--sandbox orders count',
  '--sandbox tickets list',
  '--sandbox tickets comment 1003 --comment hello --yes',
])('opens the database once: cb %s', async (line) => {
  expect(await opensOf(line)).toEqual({ code: 0, opened: 1, open: 0 });
});

test('closes the database if the command fails before a request', async () => {
  const line = '--sandbox orders list --start-date yesterday --end-date nonsense';
  expect(await opensOf(line)).toEqual({ code: 2, opened: 1, open: 0 });
});
