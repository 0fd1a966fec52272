/** Color: when output is colored, and what the colors mean. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { home } from '../../support/cb.ts';
import { serve } from '../../support/server.ts';

const body = JSON.stringify({
  orderData: [
    { receipt: 'A1', transactionType: 'SALE', totalOrderAmount: '9.50' },
    { receipt: 'A2', transactionType: 'RFND', totalOrderAmount: '-9.50' },
    { receipt: 'A3', transactionType: 'CGBK', totalOrderAmount: '-9.50' },
  ],
});

async function listing() {
  const { env } = await serve((reply) => reply.end(body));
  const { cb } = home();
  return (options: string, extra: Readonly<Record<string, string>> = {}, columns?: number) =>
    cb(`orders list --period today ${options}`, {
      env: { ...env, ...extra },
      ...(columns !== undefined && { columns }),
    });
}

describe('A table on a terminal', () => {
  test('shows refunds in yellow and chargebacks in red', async () => {
    const { out } = await (await listing())('', {}, 100);
    expect(out).toContain('\u001b[33mRFND\u001b[39m');
    expect(out).toContain('\u001b[31mCGBK\u001b[39m');
    expect(out).not.toContain('mSALE');
  });

  test('shows open tickets in yellow and dims closed ones', async () => {
    const tickets =
      '{"ticketData":[{"ticketid":"1","status":"OPEN"},{"ticketid":"2","status":"CLOSED"}]}';
    const { env } = await serve((reply) => reply.end(tickets));
    const { out } = await home().cb('tickets list --fields status', { env, columns: 80 });
    expect(out).toContain('\u001b[33mOPEN\u001b[39m');
    expect(out).toContain('\u001b[2mCLOSED\u001b[22m');
  });
});

const colors = new RegExp(`${'\u001b'}\\[\\d+m`, 'g');

describe('JSON', () => {
  const fields = '--fields receipt,totalOrderAmount';
  test.each(['json', 'ndjson'])(
    'as %s has color on a terminal, and is otherwise the same as in a pipe',
    async (format) => {
      const list = await listing();
      const colored = await list(`-o ${format} ${fields}`, {}, 100);
      const piped = await list(`-o ${format} ${fields}`);
      expect(colored.out).toContain('\u001b[34m"receipt"\u001b[39m:');
      expect(colored.out).toContain('\u001b[32m"A1"\u001b[39m');
      expect(colored.out).toContain('\u001b[36m9.50\u001b[39m');
      expect(colored.out.replaceAll(colors, '')).toBe(piped.out);
      expect(piped.out).not.toContain('\u001b');
    },
  );
});

describe('Color', () => {
  test.each<[string, Readonly<Record<string, string>>, number | undefined, boolean, string?]>([
    ['on a terminal', {}, 80, true],
    ['in a pipe', {}, undefined, false],
    ['with NO_COLOR', { NO_COLOR: '1' }, 80, false],
    ['with any value of NO_COLOR', { NO_COLOR: '0' }, 80, false],
    ['with an empty NO_COLOR', { NO_COLOR: '' }, 80, true],
    ['with CLICOLOR=0', { CLICOLOR: '0' }, 80, false],
    ['with CLICOLOR=1 in a pipe', { CLICOLOR: '1' }, undefined, false],
    ['with CLICOLOR_FORCE=1 in a pipe', { CLICOLOR_FORCE: '1' }, undefined, true],
    ['with CLICOLOR_FORCE=0 in a pipe', { CLICOLOR_FORCE: '0' }, undefined, false],
    ['with CLICOLOR_FORCE and NO_COLOR', { CLICOLOR_FORCE: '1', NO_COLOR: '1' }, 80, false],
    ['with FORCE_COLOR in a pipe', { FORCE_COLOR: '1' }, undefined, true],
    ['with FORCE_COLOR=0', { FORCE_COLOR: '0' }, 80, false],
    ['with FORCE_COLOR=false', { FORCE_COLOR: 'false' }, 80, false],
    ['with FORCE_COLOR and NO_COLOR', { FORCE_COLOR: '3', NO_COLOR: '1' }, 80, true],
    ['on a dumb terminal', { TERM: 'dumb' }, 80, false],
    ['with --no-color and FORCE_COLOR', { FORCE_COLOR: '1' }, 80, false, '--no-color'],
    ['forced on a dumb terminal', { TERM: 'dumb', CLICOLOR_FORCE: '1' }, 80, true],
  ])(
    'is printed only where it is supported and not turned off: %s',
    async (_, env, columns, is, flag = '') => {
      const { out } = await (await listing())(`-o json ${flag}`, env, columns);
      expect(out.includes('\u001b[')).toBe(is);
    },
  );

  test('is never in the file of --out', async () => {
    const { cb, folder } = home();
    const { env } = await serve((reply) => reply.end(body));
    const line = 'orders list --period today --out a.json';
    await cb(line, { env: { ...env, FORCE_COLOR: '1' }, columns: 80 });
    expect(readFileSync(join(folder, 'a.json'), 'utf8')).not.toContain('\u001b');
  });
});
