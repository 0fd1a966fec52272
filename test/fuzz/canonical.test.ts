/** A line that commander understands as typed means the same if it is corrected nevertheless. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandTree } from '../../src/program.ts';
import { correct } from '../../src/shell/grammar/correct.ts';
import type { Flag } from '../../src/shell/help/description.ts';
import { parserOf } from '../../src/shell/parse.ts';
import { tier } from '../support/tier.ts';
import { leaves, root } from '../support/tree.ts';
import { seed } from './typed.ts';

const tree = commandTree();

/** Thrown instead of running the command. */
class Read extends Error {
  readonly meaning: object;

  constructor(meaning: object) {
    super('read');
    this.meaning = meaning;
  }
}

/** The command, its arguments and its options; undefined if commander rejects the line. */
async function meaningOf(argv: readonly string[]): Promise<object | undefined> {
  const parse = async () => {
    const program = parserOf(argv, tree, ({ path }, command) => () => {
      throw new Read({ path, args: command.processedArgs, options: command.optsWithGlobals() });
    });
    await program.parseAsync([...argv], { from: 'user' });
  };
  const error: unknown = await parse().catch((thrown) => thrown);
  return error instanceof Read ? error.meaning : undefined;
}

/** Values that look like commands, phrases and options. A format such as --csv stands for itself everywhere. */
const confusing = [
  ...['list', 'orders', 'order', 'ls', 'help', 'refund', 'tickets', 'me', 'version', 'cb'],
  ...['-n5', '-n', '-n=5', '-5', '--limit', '--limit=3', '-?', '-help', '-o=json', '-v'],
  ...['MONTHLY1', '1001', '', 'a b', '%', '--yes', '--since-last'],
];

const value = fc.constantFrom(...confusing);

/** A `help` after a command requests its help. */
const word = fc.constantFrom(...confusing.filter((text) => !/^-.|^help$/.test(text)));

function typed({ names, source }: Flag): fc.Arbitrary<readonly string[]> {
  const name = fc.constantFrom(...names);
  if (source === undefined) return name.map((one) => [one]);
  return fc.oneof(
    fc.tuple(name, value),
    // `-o=json` is a natural spelling of its own.
    value.map((text) => [`${names.at(-1)}=${text}`]),
  );
}

const isHelp = ({ written }: Flag) => /--(help|version)/.test(written);

/** The arguments of `help` are commands. */
const commands = leaves.filter(({ path }) => path !== 'help');

const line = fc.constantFrom(...commands).chain(({ path, flags, places }) => {
  const known = [...flags, ...root.flags].filter((flag) => !isHelp(flag));
  const options = fc.array(fc.constantFrom(...known).chain(typed), { maxLength: 3 });
  const args = fc.array(word, { maxLength: places.length + 1 });
  return fc
    .tuple(args, options, options)
    .map(([words, before, after]) => [
      ...path.split(' '),
      ...before.flat(),
      ...words,
      ...after.flat(),
    ]);
});

test('keeps the values of a line that needs no other spelling', { timeout: 60_000 }, async () => {
  let understood = 0;
  await fc.assert(
    fc.asyncProperty(line, async (argv) => {
      const plain = await meaningOf(argv);
      if (!plain) return;
      understood += 1;
      const corrected = correct(argv, tree);
      const tokens = corrected && 'tokens' in corrected ? corrected.tokens : argv;
      expect(await meaningOf(tokens)).toEqual(plain);
    }),
    { seed, numRuns: tier(300, 1500) },
  );
  expect(understood).toBeGreaterThan(tier(100, 500));
});
