/** Whatever is typed: no crash, nothing of the program's inside, an exit code that is told, nothing sent by mistake. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CommandNode } from '../../src/cli/completion/tree.ts';
import { exitCodes } from '../../src/cli/runtime/exit-codes.ts';
import { run } from '../../src/cli/runtime/run.ts';
import { catalogue } from '../../src/operations/index.ts';
import { canary } from '../support/canary.ts';
import { home, type Ran, sandboxHome, world } from '../support/cb.ts';
import { serve } from '../support/server.ts';
import { allCommands, root } from '../support/tree.ts';
import { commandLines, eachFlag, lines, seed } from './typed.ts';

const commands = allCommands.map(withoutKeychain);

/** The keychain is that of the machine, and not of the test. */
function withoutKeychain(node: CommandNode): CommandNode {
  return { ...node, flags: node.flags.filter(({ written }) => written !== '--keychain') };
}

const flags = [
  ...new Map(commands.flatMap((node) => node.flags).map((one) => [one.written, one])).values(),
];

/** The help and the version would hide whatever else is typed; the help is a flag of each command anyway. */
const everywhere = root.flags.filter(({ written }) => !/--(help|version)/.test(written));

/** These end when they are stopped, and so they are, in ms. */
const endless: Readonly<Record<string, number>> = { 'orders watch': 30, 'sandbox start': 30 };

/** Longer than any of the others may take. */
const tooLong = 60_000;

/** So much that what is made up is made up in a moment; what is typed counts more. */
const small: Readonly<Record<string, readonly string[]>> = {
  'sandbox seed': ['sandbox', 'seed', '--orders', '20'],
  'sandbox exec': ['sandbox', 'exec', '--key', 'full', '--', 'true'],
};

/** One element of everything that the service lists, so that any answer can be read. */
const anything = JSON.stringify(
  Object.fromEntries(
    catalogue.flatMap(({ returns }) =>
      'resource' in returns ? [[returns.resource.element, {}]] : [],
    ),
  ),
);
const counted = catalogue.filter(({ returns }) => returns.kind === 'count').map(({ path }) => path);

/** A service, and homes for it in which somebody has worked before. */
async function worlds() {
  const { folder } = home();
  const seeded = await sandboxHome(60);
  const server = await serve((reply, _, { url }) =>
    reply.end(counted.some((path) => url.includes(path)) ? '1' : anything),
  );
  let made = 0;
  return async (path: string, argv: readonly string[], columns: number | undefined) => {
    const at = join(folder, `${made++}/home`);
    mkdirSync(join(at, 'folder'), { recursive: true });
    writeFileSync(join(at, 'in.csv'), 'receipt,date,carrier,tracking\nMONTHLY1,today,USPS,T1\n');
    writeFileSync(join(at, 'in.json'), '{"sku":"GUIDE-01"}');
    if (argv.some((word) => word.includes('sandbox'))) {
      cpSync(join(seeded.folder, '.local'), join(at, '.local'), { recursive: true });
    }
    const before = server.asked.length;
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(exitCodes.interrupted), endless[path] ?? tooLong);
    const env = { ...server.env, CB_API_KEY: canary, CI: '1' };
    const { context, stdout, stderr } = world(at, {
      env,
      signal: stop.signal,
      ...(columns && { columns }),
    });
    const code = await run(argv, context);
    clearTimeout(timer);
    rmSync(join(at, '..'), { recursive: true });
    return { code, out: stdout.text, err: stderr.text, sent: server.asked.length - before };
  };
}

/** Neither a fault in cb, nor one that had to be stopped. */
const good: readonly number[] = Object.values(exitCodes).filter(
  (code) => code !== exitCodes.internal && code !== exitCodes.interrupted,
);

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through
const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;

/** Without what cb does on a terminal itself: colour, and clearing the line that tells how far it is. */
function withoutOwn(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what cb writes
  return text.replaceAll(/\r\u001b\[K|\u001b\[\d+(?:;\d+)*m/g, '');
}

interface Ended extends Ran {
  /** Requests that the service got. */
  readonly sent: number;
}

function requireGood(path: string, argv: readonly string[], ran: Ended, isTerminal: boolean): void {
  const { code, out, err, sent } = ran;
  expect(path in endless ? [...good, exitCodes.interrupted] : good).toContain(code);
  // Names of fields are checked against the response to a read.
  const isField = /Unknown (?:field|list) '.*' in --/s.test(err);
  if (code === exitCodes.usage && !isField) expect(sent).toBe(0);
  if (code !== exitCodes.ok && !(path in endless)) expect(out + err).not.toBe('');
  expect(out + err).not.toContain(canary);
  expect(isTerminal ? withoutOwn(err) : err).not.toMatch(control);
  if (isTerminal) expect(withoutOwn(out).replaceAll('\t', ' ')).not.toMatch(control);
  // With --debug it tells where it was.
  if (!argv.includes('--debug')) expect(err).not.toMatch(/\n\s+at .*[(:]/);
}

test.each(commands.map((command) => [command.path, command] as const))(
  'cb %s: whatever is typed ends as it should',
  async (path, command) => {
    const call = await worlds();
    const examples = eachFlag(command).map((argv): [string[], undefined] => [argv, undefined]);
    const typing = { command, everywhere, foreign: flags, words: small[path] };
    const columns = fc.constantFrom(undefined, undefined, 80);
    await fc.assert(
      fc.asyncProperty(commandLines(typing), columns, async (argv, wide) => {
        const ran = await call(path, argv, wide);
        requireGood(path, argv, ran, wide !== undefined);
      }),
      {
        seed,
        numRuns: examples.length + Math.ceil(lines / commands.length),
        examples,
      },
    );
  },
);
