/**
 * What cb answers to natural spellings and to mistakes: test/golden/mistakes.txt has each line after a `$`, and behind
 * arrows the line that runs in its place and the lines of its answer. To add a line, or to update the answers after a
 * change of words or commands:
 *
 *     CB_UPDATE_GOLDEN=1 npx vitest run --config .vitest.config.ts test/e2e/terminal/mistakes.test.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandTree } from '../../../src/program.ts';
import type { Branch } from '../../../src/shell/define.ts';
import { correct } from '../../../src/shell/grammar/correct.ts';
import { HelpRequest, Mistake, parserOf } from '../../../src/shell/parse.ts';
import { shellWord } from '../../../src/shell/shell-word.ts';
import { home, type Options } from '../../support/cb.ts';
import { serveSandbox } from '../../support/sandbox.ts';
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
    words: [...command.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", '')),
    env: Object.fromEntries(env.map((one) => [one.split('=')[0], one.split('=')[1] ?? ''])),
  };
}

/** An answer that says what to type next. */
const leadsOn =
  /did you mean|\b(use|leave|set|add|give|must|type|try|as in|is missing|is needed|is required)\b/i;

async function open() {
  const { env } = await serveSandbox({ orders: 300 });
  const { cb } = home();
  let count = 0;
  return async (line: string) => {
    // In `npm test`, every fifth line also runs as it is corrected.
    const isRepeated = count++ % tier(5, 1) === 0;
    const { command, words, env: own } = read(line);
    const options: Options = { env: { ...env, ...own } };
    const { code, out, err } = await cb(command, options);
    const canonical = (await correctedLine(words)) ?? command;
    const mustBeTyped = err.includes('must be typed exactly');
    if (mustBeTyped) {
      const meant = `Did you mean cb ${canonical}?`;
      expect({ line, err }).toEqual({ line, err: expect.stringContaining(meant) });
    } else if (isRepeated && canonical !== command && !err.includes('needs a value')) {
      expect({ line, ...(await cb(canonical, options)) }).toEqual({ line, code, out, err });
    }
    const lines = out.split('\n').length - 1;
    const meant = canonical === command ? '' : `cb ${canonical}${code === 0 ? ' ' : ARROW}`;
    const done = code === 0 ? `(prints ${lines} ${lines === 1 ? 'line' : 'lines'})` : err.trimEnd();
    const text = `${meant}${done}`.replaceAll('\n    ', ARROW).replaceAll('\n', ' ↵ ');
    return { text, isDead: code === 2 && !leadsOn.test(err) };
  };
}

/** `-h` and `--version` end a line, too; only where more words follow does that lead on. */
async function isRefusedBy(words: readonly string[], root: Branch): Promise<boolean> {
  try {
    await parserOf(words, root, () => () => undefined).parseAsync([...words], { from: 'user' });
    return false;
  } catch (error) {
    return error instanceof Mistake || (error instanceof HelpRequest && error.mayMeanMore);
  }
}

/** What runs in place of a line that commander refuses; undefined if it takes the line, or nothing can run. */
async function correctedLine(words: readonly string[]): Promise<string | undefined> {
  const root = commandTree();
  const isRefused = await isRefusedBy(words, root);
  const corrected = isRefused ? correct(words, root) : undefined;
  return corrected && 'tokens' in corrected ? corrected.tokens.map(shellWord).join(' ') : undefined;
}

test('runs natural spellings as the command they stand for, and answers mistakes with what to type', async () => {
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

test('names an option in an error as it was typed', async () => {
  expect(await home().cb('tickets close 1001 -n')).toMatchObject({
    code: 2,
    err: "cb: Unknown option '-n'.\n    Did you mean --dry-run?\n",
  });
});

test('has at least 130 lines, each once', () => {
  const lines = [...golden.matchAll(/^\$ .+$/gm)].map(([text]) => typedIn(text));
  expect(new Set(lines).size).toBe(lines.length);
  expect(lines.length).toBeGreaterThanOrEqual(130);
});
