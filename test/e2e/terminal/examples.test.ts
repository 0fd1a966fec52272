/** Every example in the help runs as it is written there. */
import { expect, test } from 'vitest';
import { textOf } from '../../../src/cli/help/blocks.ts';
import { topics } from '../../../src/cli/help/topics.ts';
import { topicBlocks } from '../../../src/cli/help/usage-topics.ts';
import { exitCodes } from '../../../src/cli/runtime/exit-codes.ts';
import { runExample } from '../../support/example-world.ts';
import { allCommands, leaves } from '../../support/tree.ts';

/** Lines that begin with cb, without their meaning, which follows after two blanks. */
function examplesIn(text: string): string[] {
  const joined = text.replaceAll(/ \\\n +/g, ' ');
  return [...joined.matchAll(/^ {2}(cb .*?)(?: {2,}.*)?$/gm)].map(([, line = '']) => line);
}

const examples = [
  ...allCommands.flatMap(({ after }) => examplesIn(after)),
  ...topics.flatMap((topic) => examplesIn(textOf(topicBlocks(topic), 80))),
];

/** Ends by Ctrl-C, or finds that something else has its port. */
const served = [exitCodes.interrupted, exitCodes.network];

// Keeps a key outside of the test's home; test/e2e/keys/keychain.test.ts runs it.
const runnable = [...new Set(examples)].filter((line) => !line.includes('--keychain'));

test.each(runnable)('%s', async (line) => {
  const { code, err } = await runExample(line);
  expect(line.startsWith('cb sandbox start') ? served : [exitCodes.ok], err).toContain(code);
});

test('every command has an example of itself', () => {
  for (const { path, after } of leaves) {
    expect(
      examplesIn(after).some((line) => line.includes(path)),
      path,
    ).toBe(true);
  }
});
