/** Random command lines never crash, expose internals, end with an undocumented exit code, or send by mistake. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catalogue } from '../../src/operations/index.ts';
import { run } from '../../src/run.ts';
import { exitCodes } from '../../src/shell/failure.ts';
import { canary } from '../support/canary.ts';
import { home, type Ran, sandboxHome, world } from '../support/cb.ts';
import { serve } from '../support/server.ts';
import { isLong } from '../support/tier.ts';
import { allCommands, root } from '../support/tree.ts';
import { commandLines, eachFlag, lines, seed } from './typed.ts';

/** Without --keychain, since the keychain belongs to the machine, not to the test. */
const commands = allCommands.map((node) => ({
  ...node,
  flags: node.flags.filter(({ written }) => written !== '--keychain'),
}));

/** Each option, of the first of the commands that have it; `npm test` tries it by itself only with this one. */
const firstOf = new Map(
  commands
    .flatMap((node) => node.flags)
    .reverse()
    .map((one) => [one.written, one]),
);
const flags = [...firstOf.values()];

/** Excluded, since help and version would hide all other arguments. */
const everywhere = root.flags.filter(({ written }) => !/--(help|version)/.test(written));

/** Commands that run until stopped, with the time after which they are stopped, in ms. */
const endless: Readonly<Record<string, number>> = { 'orders watch': 30, 'sandbox start': 30 };

/** Maximum duration of all other commands. */
const tooLong = 60_000;

/** Small, so that seeding is fast. */
const small: Readonly<Record<string, readonly string[]>> = {
  'sandbox seed': ['sandbox', 'seed', '--orders', '20'],
  'sandbox exec': ['sandbox', 'exec', '--key', 'full', '--', 'true'],
};

/** One element of every list, so that any response can be read. */
const elements = catalogue.flatMap(({ returns }) =>
  'resource' in returns ? [[returns.resource.element, {}]] : [],
);
const anything = JSON.stringify(Object.fromEntries(elements));
const counted = catalogue.filter(({ returns }) => returns.kind === 'count').map(({ path }) => path);

/** A service, and homes that were used before. */
async function worlds() {
  const { folder } = home();
  let seeded: ReturnType<typeof sandboxHome> | undefined;
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
      seeded ??= sandboxHome(60);
      cpSync(join((await seeded).folder, '.local'), join(at, '.local'), { recursive: true });
    }
    const before = server.asked.length;
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(exitCodes.interrupted), endless[path] ?? tooLong);
    const env = { ...server.env, CB_API_KEY: canary, CI: '1' };
    const options = { env, signal: stop.signal, ...(columns && { columns }) };
    const { context, stdout, stderr } = world(at, options);
    const code = await run(argv, context);
    clearTimeout(timer);
    rmSync(join(at, '..'), { recursive: true });
    return { code, out: stdout.text, err: stderr.text, sent: server.asked.length - before };
  };
}

/** Documented exit codes, without internal errors and timeouts. */
const good: readonly number[] = Object.values(exitCodes).filter(
  (code) => code !== exitCodes.internal && code !== exitCodes.interrupted,
);

// biome-ignore lint/suspicious/noControlCharactersInRegex: matches characters that must not be printed
const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;

/** Removes cb's own control sequences: colors, and clearing the progress line. */
function withoutOwn(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches cb's own sequences
  return text.replaceAll(/\r\u001b\[K|\u001b\[\d+(?:;\d+)*m/g, '');
}

function requireGood(
  path: string,
  argv: readonly string[],
  { code, out, err, sent }: Ran & { readonly sent: number },
  isTerminal: boolean,
): void {
  expect(path in endless ? [...good, exitCodes.interrupted] : good).toContain(code);
  // Names of fields are checked against the response to a read.
  const isField = /Unknown (?:field|list) '.*' in --/s.test(err);
  // A missing account is answered with the accounts of the key, if it may list them.
  const isAccount = err.includes('--account is missing.');
  if (code === exitCodes.usage && !isField) expect(sent).toBeLessThanOrEqual(isAccount ? 1 : 0);
  if (code !== exitCodes.ok && !(path in endless)) expect(out + err).not.toBe('');
  expect(out + err).not.toContain(canary);
  expect(isTerminal ? withoutOwn(err) : err).not.toMatch(control);
  if (isTerminal) expect(withoutOwn(out).replaceAll('\t', ' ')).not.toMatch(control);
  // --debug prints a stack trace.
  if (!argv.includes('--debug')) expect(err).not.toMatch(/\n\s+at .*[(:]/);
}

test.each(commands)('cb $path: ends any line with a documented exit code', async (command) => {
  const { path } = command;
  const call = await worlds();
  const some = isLong
    ? command.flags
    : command.flags.filter((flag) => firstOf.get(flag.written) === flag);
  const each = eachFlag({ ...command, flags: some });
  const examples = each.map((argv): [string[], undefined] => [argv, undefined]);
  const typing = { command, everywhere, foreign: flags, words: small[path] };
  const columns = fc.constantFrom(undefined, undefined, 80);
  await fc.assert(
    fc.asyncProperty(commandLines(typing), columns, async (argv, wide) => {
      const ran = await call(path, argv, wide);
      requireGood(path, argv, ran, wide !== undefined);
    }),
    { seed, numRuns: examples.length + Math.ceil(lines / commands.length), examples },
  );
});
