/** Values that are missing, keys that were typed too early, and random lines: nothing that was not meant is sent. */
import type { Command } from 'commander';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandTree } from '../../../src/program.ts';
import type { Branch } from '../../../src/shell/define.ts';
import { readable } from '../../../src/shell/grammar/explain.ts';
import type { Flag } from '../../../src/shell/help/description.ts';
import { Mistake, parserOf } from '../../../src/shell/parse.ts';
import { expandAlias } from '../../../src/shell/session/aliases.ts';
import { emptyHome } from '../../support/binary.ts';
import { home, sandboxHome, world } from '../../support/cb.ts';
import { type Reading, readLine } from '../../support/line-reader.ts';
import { hasTerminals, onTerminal } from '../../support/pty.ts';
import { servedShop, serveSandbox } from '../../support/sandbox.ts';
import { seedOf, tier } from '../../support/tier.ts';
import { type CommandNode, leaves, root } from '../../support/tree.ts';

test('a value that looks like an option is attached to its own', async () => {
  const { cb } = await sandboxHome(60);
  for (const [typed, comment] of [
    ['--comment=--json 1003', '--json'],
    ['--comment -hello 1003', '-hello'],
    ['1003 --comment=-n5', '-n5'],
  ]) {
    const ran = await cb(`--sandbox tickets comment ${typed} --dry-run`);
    const out = `PUT /rest/1.3/tickets/1003\n  comment=${comment}\n`;
    expect({ typed, ...ran }).toMatchObject({ code: 0, out });
  }
});

const refund = 'tickets create DIGITAL1 --type rfnd --reason duplicate --refund-type full';

async function terminal(line: string, keys: string) {
  const { sandbox, env, writes } = await serveSandbox({ keyName: 'vendor' });
  // The keys arrive while the order is read.
  sandbox.setFaults('latency=500ms,only=GET');
  const running = onTerminal(`cb ${line}`, { home: emptyHome(), env });
  while (sandbox.requests.length === 0) await new Promise((done) => setTimeout(done, 10));
  running.type(keys);
  return { running, writes };
}

test.skipIf(!hasTerminals).each([
  ['a yes and Enter typed with the command do not refund the order', 'y\r', '\r', 10],
  ['a yes after the question refunds the order', 'n\r', 'y\r', 0],
])('%s (needs script)', async (_, before, after, code) => {
  const { running, writes } = await terminal(refund, before);
  await running.until(/\(y\/N\)/);
  running.type(after);
  const { out } = await running.ended();
  expect(out).toContain(`code ${code}`);
  const sent = expect.stringContaining('/rest/1.3/tickets/DIGITAL1?type=rfnd');
  expect(writes().map(({ path }) => path)).toEqual(code === 0 ? [sent] : []);
});

test('Enter at every question of the wizard refunds nothing', async (own) => {
  own.skip(!hasTerminals, 'needs script');
  const { running, writes } = await terminal('tickets refund DIGITAL1', '\r\r\r\r\r\r\r\r\r');
  const typing = setInterval(() => running.type('\r'), 50);
  const { out } = await running.ended().finally(() => clearInterval(typing));
  expect(out).toContain('Nothing was sent');
  expect(writes()).toEqual([]);
});

const seed = seedOf(20_260_318);
const numRuns = tier(200, 2000);

const aliases = {
  answer: 'tickets comment',
  shut: 'tickets close --comment done',
  stop: '--sandbox orders pause',
  gone: 'products delete --account GREENLEAF',
};

const ids = ['1001', '1003', 'MONTHLY1', 'CANCEL01', 'CLUB-M', 'GREENLEAF', 'json', 'rfnd', '5'];
const odd = [
  ...['', ' ', '-', '--', '-5', '1,50', 'a=b', '=', '--comment=--json', '--limit=5', '-n1003'],
  ...['-n', '-ojson', '-o', '--json', '--csv', '--nope', 'orders', 'tickets', 'answer', 'shut'],
  ...['--yes', '-y', '--no-input', '--debug', '--timeout', '--dry-run', '--help-me', 'help', '٣'],
];

const word = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...ids) },
  { weight: 1, arbitrary: fc.constantFrom(...odd) },
);

function typedOption({ names, source }: Flag): fc.Arbitrary<string[]> {
  const name = fc.constantFrom(...names);
  if (!source) return name.map((one) => [one]);
  const right = source.kind === 'values' ? source.values.map(([one]) => one) : ids;
  const value = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...right) }, word);
  return fc.oneof(
    { weight: 6, arbitrary: fc.tuple(name, value) },
    { weight: 2, arbitrary: fc.tuple(name, value).map(([one, other]) => [`${one}=${other}`]) },
    { weight: 1, arbitrary: fc.tuple(name, value).map(([one, other]) => [`${one}${other}`]) },
    { weight: 1, arbitrary: name.map((one) => [one]) },
  );
}

/** Options of cb that do not replace what the command does. */
const common = root.flags.filter(({ written }) => !/--(help|version|all-profiles)/.test(written));

interface Typed {
  readonly command: CommandNode;
  readonly line: readonly string[];
}

function lineOf(command: CommandNode): fc.Arbitrary<Typed> {
  const path = command.path.split(' ');
  const short = Object.entries(aliases).filter(([, line]) => line.includes(command.path));
  const begin = fc.constantFrom(path, ...short.map(([name]) => [name]));
  const own = command.flags.filter(({ written }) => !/--help/.test(written));
  const before = fc.array(fc.oneof(...common.map(typedOption)), { maxLength: 1 });
  const after = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: word.map((one) => [one]) },
      { weight: 3, arbitrary: fc.oneof(...[...own, ...common].map(typedOption)) },
    ),
    { maxLength: 5 },
  );
  return fc.tuple(before, begin, after).map(([first, words, rest]) => ({
    command,
    line: [...first.flat(), ...words, ...rest.flat()],
  }));
}

const tree = commandTree();

async function reader() {
  const made = home();
  for (const [name, line] of Object.entries(aliases)) await made.cb(`alias set ${name} '${line}'`);
  const { context } = world(made.folder, {});
  const parse = async (tokens: readonly string[]) => {
    let found: (Reading & { readonly path: string }) | undefined;
    const options: Record<string, (string | true)[]> = {};
    const actionFor = ({ path }: Branch, command: Command) => {
      for (const option of command.options) {
        command.on(`option:${option.name()}`, (value: string | null | undefined) => {
          const name = option.long ?? option.short ?? '';
          options[name] = [...(options[name] ?? []), value ?? true];
        });
      }
      return () => {
        found = { path, words: command.args, options };
      };
    };
    await parserOf(tokens, tree, actionFor).parseAsync([...tokens], { from: 'user' });
    if (!found) throw new Error('No command ran.');
    return found;
  };
  // As `run` does it.
  return async (typed: readonly string[]): Promise<Reading & { readonly path: string }> => {
    const expanded = await expandAlias(typed, context);
    return parse(expanded).catch((error) => {
      const corrected = error instanceof Mistake ? readable(expanded, tree) : undefined;
      if (!corrected) throw error;
      return parse(corrected);
    });
  };
}

/** The commands that write or delete. */
const writing = leaves.filter(({ path }) => {
  return tree.at(path.split(' '))?.isWrite;
});

test('takes from random lines of commands that write what a plain reader of options takes', async () => {
  const take = await reader();
  const count = { taken: 0, refused: 0, ambiguous: 0 };
  const line = fc.oneof(...writing.map(lineOf));
  await fc.assert(
    fc.asyncProperty(line, async ({ command, line }) => {
      const read = readLine(line, command, aliases);
      const taken = await take(line).catch(() => undefined);
      const isWrite = taken && writing.some(({ path }) => path === taken.path);
      if (!taken || (!isWrite && !read)) {
        count[read ? 'refused' : 'ambiguous'] += 1;
        return;
      }
      count.taken += 1;
      expect({ line, ...taken }).toEqual({ line, path: command.path, ...read });
    }),
    { seed, numRuns },
  );
  expect(writing.length).toBeGreaterThan(20);
  expect(count.taken).toBeGreaterThan(numRuns / 10);
  expect(count.ambiguous).toBeGreaterThan(numRuns / 50);
});

test('plans from random lines what a plain reader of options takes', async () => {
  const { cb } = await servedShop();
  for (const [name, line] of Object.entries(aliases)) await cb(`alias set ${name} '${line}'`);
  const commands = writing.filter(({ path }) => /^tickets (comment|close)$/.test(path));
  let planned = 0;
  await fc.assert(
    fc.asyncProperty(fc.oneof(...commands.map(lineOf)), async ({ command, line }) => {
      const typed = [...line, '--comment=hello', '--dry-run'];
      const quoted = typed.map((one) => `'${one}'`).join(' ');
      const { code, out } = await cb(quoted);
      const read = readLine(typed, command, aliases);
      if (code !== 0) return;
      planned += 1;
      const sent = [...out.matchAll(/rest\/1\.3\/tickets\/(\d+)/g)].map(([, id]) => id);
      expect({ line, sent }).toEqual({ line, sent: read?.words });
    }),
    { seed, numRuns: tier(150, 400) },
  );
  expect(planned).toBeGreaterThan(tier(1, 5));
});
