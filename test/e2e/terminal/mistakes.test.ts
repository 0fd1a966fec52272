/** Mistakes and natural spellings of command lines, and how errors, warnings and notes look: at most two lines, and nothing is sent. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandTree } from '../../../src/program.ts';
import { messagesOf, report } from '../../../src/shell/context.ts';
import type { Branch } from '../../../src/shell/define.ts';
import { Failure } from '../../../src/shell/failure.ts';
import { correct } from '../../../src/shell/grammar/correct.ts';
import { Mistake, parserOf } from '../../../src/shell/parse.ts';
import { shellWord } from '../../../src/shell/shell-word.ts';
import { home, wordsOf, world } from '../../support/cb.ts';
import { servedShop } from '../../support/sandbox.ts';
import { servedHome } from '../../support/served-home.ts';
import { tier } from '../../support/tier.ts';

const file = 'test/golden/mistakes.txt';
const golden = readFileSync(file, 'utf8');
const ARROW = ' → ';

/** What is typed in a line of the file; a new one has no answer yet. */
const typedIn = (text: string) => text.split(ARROW, 1)[0]?.slice(2) ?? '';

/** Splits a line like a shell, including variables before the command. */
function read(line: string) {
  const [, settings = '', command = ''] = /^((?:[A-Z_]+=\S* )*)cb ?(.*)$/s.exec(line) ?? [];
  const env = settings.split(' ').filter(Boolean);
  return {
    command,
    words: wordsOf(command),
    env: Object.fromEntries(env.map((one) => [one.split('=')[0], one.split('=')[1] ?? ''])),
  };
}

/** An answer that says what to type next. */
const leadsOn =
  /did you mean|\b(use|leave|set|add|give|must|type|try|run|choose|pass|placeholders|as in|is missing|is needed|is required|require|only with|quote|select|given twice|secrets)\b/i;

async function open() {
  const { cb, writes } = await servedShop({ orders: 300 });
  let count = 0;
  return async (line: string) => {
    // In `npm test`, every fifth line also runs as it is corrected.
    const isRepeated = count++ % tier(5, 1) === 0;
    const { command, words, env } = read(line);
    const before = writes().length;
    const { code, out, err } = await cb(command, { env });
    // A mistake and a missing confirmation send nothing.
    if (code === 2 || code === 10)
      expect({ line, sent: writes().slice(before) }).toEqual({ line, sent: [] });
    // Secrets and a password that some lines contain.
    expect(out + err).not.toMatch(/K3YOFSHOP2AB|SECRET1KEY2026AB|hunter2/);
    const canonical = (await correctedLine(words)) ?? command;
    const mustBeTyped = err.includes('must be typed exactly');
    if (mustBeTyped) {
      const meant = `Did you mean cb ${canonical}?`;
      expect({ line, err }).toEqual({ line, err: expect.stringContaining(meant) });
    } else if (isRepeated && canonical !== command && !err.includes('needs a value')) {
      expect({ line, ...(await cb(canonical, { env })) }).toEqual({ line, code, out, err });
    }
    const lines = out.split('\n').length - 1;
    const meant = canonical === command ? '' : `cb ${canonical}${code === 0 ? ' ' : ARROW}`;
    const prints = `(prints ${lines} ${lines === 1 ? 'line' : 'lines'})`;
    // A usage error ends with exit code 2, like most lines of the file.
    const failed = code === 2 ? err.trimEnd() : `${err.trimEnd()} (exit code ${code})`;
    const text = `${meant}${code === 0 ? prints : failed}`
      .replaceAll('\n    ', ARROW)
      .replaceAll('\n', ' ↵ ');
    return { text, isDead: code === 2 && !leadsOn.test(err) };
  };
}

/** `-h` and `--version` end a line, too; only where more words follow does that lead on. */
async function isRefusedBy(words: readonly string[], root: Branch): Promise<boolean> {
  try {
    await parserOf(words, root, () => () => undefined).parseAsync([...words], { from: 'user' });
    return false;
  } catch (error) {
    return error instanceof Mistake && !error.isHelp;
  }
}

/** What runs in place of a line that commander refuses; undefined if it takes the line, or nothing can run. */
async function correctedLine(words: readonly string[]): Promise<string | undefined> {
  const root = commandTree();
  const isRefused = await isRefusedBy(words, root);
  const corrected = isRefused ? correct(words, root) : undefined;
  return corrected && 'tokens' in corrected ? corrected.tokens.map(shellWord).join(' ') : undefined;
}

test('runs natural spellings as the command they stand for, answers mistakes with what to type, and sends no write that is not confirmed', async () => {
  const answer = await open();
  const parts: string[] = [];
  const dead: string[] = [];
  for (const [text, mark] of golden.matchAll(/^([#$]) .+$/gm)) {
    if (mark === '#') {
      parts.push(`\n${text}\n\n`);
      continue;
    }
    const line = typedIn(text);
    const { text: answered, isDead } = await answer(line);
    if (isDead) dead.push(answered);
    parts.push(`$ ${line}${ARROW}${answered}\n`);
  }
  const text = parts.join('');
  if (process.env.CB_UPDATE_GOLDEN) writeFileSync(file, text);
  else expect(text).toBe(golden);
  expect(dead).toEqual([]);
});

test('has at least 130 lines, each once', () => {
  const lines = [...golden.matchAll(/^\$ .+$/gm)].map(([text]) => typedIn(text));
  expect(new Set(lines).size).toBe(lines.length);
  expect(lines.length).toBeGreaterThanOrEqual(130);
});

const unknownProfile = '--profile shop orders list --period today';

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
    ...{ code: 3, status: null, message: "There is no profile 'shop'." },
    ...{ hint: expect.stringContaining('sandbox'), next: 'cb login --profile shop' },
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
  const expired = new Failure(10, 'Plan k7qd-3mxp-9ftw has expired.');
  report(context, expired, { json: false, debug: false, color: false });
  const shown = ['', 'Sending …', 'cb: Plan k7qd-3mxp-9ftw has expired.\n'];
  expect(stderr.text.split('\r\x1b[K')).toEqual(shown);
});

test('accepts several values of a repeatable option, and a repeated switch', async () => {
  const { cb, asked } = await servedHome((reply) => reply.writeHead(403).end());
  const line =
    'analytics trends --role VENDOR --account a --product-id 1 --product-id 2,3 --start-date 2026-03-01 --end-date 2026-03-02 --no-color --no-color';
  const { err } = await cb(line);
  const urls = asked.map(({ url }) => url);
  expect(urls[0], err).toContain('productId=1&productId=2&productId=3');
});
