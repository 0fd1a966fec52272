/** For a screen reader: lines of text, and nothing is redrawn; and when output is colored, and what the colors mean. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { plainPromptsOn } from '../../../src/shell/terminal/plain-prompts.ts';
import { backAnswer, type Prompts } from '../../../src/shell/terminal/prompts.ts';
import { emptyHome } from '../../support/binary.ts';
import { hasTerminals, onTerminal } from '../../support/pty.ts';
import { servedShop, serveSandbox } from '../../support/sandbox.ts';
import { servedHome } from '../../support/served-home.ts';
import { Recorder } from '../../support/streams.ts';

/** Moves the cursor, or clears a part of the screen. Colors do not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what the test looks for.
const moves = /\u001b\[[0-9;?]*[A-HJKSTf-lsu]|\u001b[^[]|\r(?!\r?\n)/;

/** Waits for each text, and then types the line. */
async function recorded(line: string, answers: readonly (readonly [RegExp, string])[]) {
  const { env, writes } = await serveSandbox({ keyName: 'vendor' });
  const running = onTerminal(`cb ${line}`, { home: emptyHome(), env: { ...env, ACCESSIBLE: '1' } });
  for (const [asked, answer] of answers) {
    await running.until(asked);
    running.type(`${answer}\r`);
  }
  const { out } = await running.ended();
  return { out, writes: writes().map(({ path }) => path) };
}

test.skipIf(!hasTerminals)(
  'refunds with the wizard without a movement of the cursor (needs script)',
  async () => {
    const { out, writes } = await recorded('tickets refund DIGITAL1', [
      [/What do you want to do\?[\s\S]*Number/, '1'],
      [/How much[\s\S]*Number/, '3'],
      [/Amount to refund[\s\S]*:/, '5000'],
      [/at most 37\.00 USD\.[\s\S]*Amount/, '5'],
      [/What is the reason\?[\s\S]*Number/, '2'],
      [/Comment on the ticket[\s\S]*:/, ''],
      [/Send this request\?[\s\S]*Number/, '1'],
      [/Another customer\?/, 'no'],
    ]);
    expect(out).toContain('1. Refund');
    expect(out).not.toMatch(moves);
    expect(writes).toEqual([expect.stringContaining('/rest/1.3/tickets/DIGITAL1?type=rfnd')]);
  },
);

test.skipIf(!hasTerminals)(
  'works in the queue without a movement of the cursor (needs script)',
  async () => {
    const { out, writes } = await recorded('tickets work --receipt MONTHLY1', [
      [/f: refund[\s\S]*Key:/, 'r'],
      [/Reply \(<: back\):/, 'On it.'],
      [/y: send[\s\S]*Send it\?/, 'y'],
      [/Added the comment[\s\S]*Key:/, 'q'],
    ]);
    expect(out).not.toMatch(moves);
    expect(writes).toHaveLength(1);
  },
);

test.skipIf(!hasTerminals).each([
  ['as lines of text', '1'],
  ['as usual', '0'],
])('shows no key that is typed, not even after Ctrl-T: %s (needs script)', async (_, form) => {
  const line = 'cb login --no-check; cb profiles list --fields name,current -o tsv';
  const running = onTerminal(line, { env: { ACCESSIBLE: form } });
  await running.until(/API key:/);
  running.type('API-\u0014TYPED\r');
  const { out } = await running.ended();
  expect(out).toMatch(/as profile 'default'\.[\s\S]*^default\ttrue\b/m);
  expect(out).not.toContain('TYPED');
});

test('shows rows and values as lines of name and value with --plain', async () => {
  const { cb } = await servedShop();
  const line = 'orders list --period last-90-days --type BILL --plain --no-color --limit 2';
  const list = await cb(line, { columns: 40 });
  expect(list.out).toMatch(/^Time: .*\nReceipt: .*\n/m);
  expect(list.out).toMatch(/\n\nTime: /);
  const ticket = await cb('tickets get 1003 --plain --no-color', { columns: 40 });
  expect(ticket.out).toMatch(/^Ticket ID: 1003\nReceipt: MONTHLY1\n/);
  expect(ticket.out).toContain('Action: OPENED, Comment role: CUSTOMER, Comment: ');
});

function asking<T>(ask: (prompts: Prompts) => Promise<T>) {
  const stdin = new PassThrough();
  const stderr = new Recorder({ tty: true });
  const stop = new AbortController();
  const answer = ask(plainPromptsOn({ stdin, stderr, signal: stop.signal }));
  answer.catch(() => undefined);
  const type = async (...lines: readonly string[]) => {
    for (const line of lines) {
      await new Promise((done) => setTimeout(done, 5));
      stdin.write(`${line}\n`);
    }
  };
  return { answer, type, stop, shown: () => stderr.text };
}

const letters = ['a', 'b', backAnswer].map((value) => ({ value, name: `Choice ${value}` }));
const keys = [{ key: 'y', name: 'send' }, { key: 'enter' }, { key: 'escape', name: 'back' }];

test.each([
  ['a number', (prompts: Prompts) => prompts.select('Which?', letters), ['9', '2'], 'b'],
  ['the usual choice', (prompts: Prompts) => prompts.select('Which?', letters, 'b'), [''], 'b'],
  ['back', (prompts: Prompts) => prompts.select('Which?', letters), ['<'], backAnswer],
  ['a key', (prompts: Prompts) => prompts.key('Send?', keys), ['x', 'Y'], 'y'],
  ['only Enter', (prompts: Prompts) => prompts.key('Send?', keys), [''], 'enter'],
  ['Esc', (prompts: Prompts) => prompts.key('Send?', keys), ['<'], 'escape'],
  ['yes', (prompts: Prompts) => prompts.confirm('Sure?'), ['maybe', 'yes'], true],
  ['no by default', (prompts: Prompts) => prompts.confirm('Sure?'), [''], false],
  ['a text', (prompts: Prompts) => prompts.input('Text:', (one) => one && undefined), ['hi'], 'hi'],
])('takes from a line: %s', async (_, ask, lines, answered) => {
  const { answer, type } = asking<unknown>(ask);
  await type(...lines);
  expect(await answer).toBe(answered);
});

test('ends like Ctrl-C when the input or the session ends', async () => {
  const closed = asking((prompts) => prompts.confirm('Sure?'));
  closed.stop.abort();
  await expect(closed.answer).rejects.toMatchObject({ name: 'ExitPromptError' });
});

const body = JSON.stringify({
  orderData: [
    { receipt: 'A1', transactionType: 'SALE', totalOrderAmount: '9.50' },
    { receipt: 'A2', transactionType: 'RFND', totalOrderAmount: '-9.50' },
    { receipt: 'A3', transactionType: 'CGBK', totalOrderAmount: '-9.50' },
  ],
});

async function listing() {
  const { cb, env } = await servedHome((reply) => reply.end(body));
  return (options: string, more: Readonly<Record<string, string>> = {}, columns?: number) => {
    const screen = columns === undefined ? {} : { columns };
    return cb(`orders list --period today ${options}`, { env: { ...env, ...more }, ...screen });
  };
}

test('shows refunds and open tickets in yellow, chargebacks in red, and dims closed tickets', async () => {
  const { out } = await (await listing())('', {}, 100);
  expect(out).toContain('\u001b[33mRFND\u001b[39m');
  expect(out).toContain('\u001b[31mCGBK\u001b[39m');
  expect(out).not.toContain('mSALE');
  const ticketData = ['OPEN', 'CLOSED'].map((status, i) => ({ ticketid: `${i}`, status }));
  const { cb } = await servedHome((reply) => reply.end(JSON.stringify({ ticketData })));
  const tickets = await cb('tickets list --fields status', { columns: 80 });
  expect(tickets.out).toContain('\u001b[33mOPEN\u001b[39m');
  expect(tickets.out).toContain('\u001b[2mCLOSED\u001b[22m');
});

const colors = new RegExp(`${'\u001b'}\\[\\d+m`, 'g');

test.each(['json', 'ndjson'])(
  'has color in %s on a terminal, which is otherwise the same as in a pipe',
  async (format) => {
    const list = await listing();
    const fields = '--fields receipt,totalOrderAmount';
    const colored = await list(`-o ${format} ${fields}`, {}, 100);
    const piped = await list(`-o ${format} ${fields}`);
    expect(colored.out).toContain('\u001b[34m"receipt"\u001b[39m:');
    expect(colored.out).toContain('\u001b[32m"A1"\u001b[39m');
    expect(colored.out).toContain('\u001b[36m9.50\u001b[39m');
    expect(colored.out.replaceAll(colors, '')).toBe(piped.out);
    expect(piped.out).not.toContain('\u001b');
  },
);

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
    const { cb, folder, env } = await servedHome((reply) => reply.end(body));
    const line = 'orders list --period today --out a.json';
    await cb(line, { env: { ...env, FORCE_COLOR: '1' }, columns: 80 });
    expect(readFileSync(join(folder, 'a.json'), 'utf8')).not.toContain('\u001b');
  });
});
