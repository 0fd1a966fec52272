/** Every example in the help runs as it is written there. */
import { expect, test } from 'vitest';
import { textOf } from '../../../src/shell/help/blocks.ts';
import { topics } from '../../../src/shell/help/topics.ts';
import { topicBlocks } from '../../../src/shell/help/usage-topics.ts';
import { runScript, shareWorlds } from '../../support/example-world.ts';
import { allCommands, leaves } from '../../support/tree.ts';

/** Lines that begin with cb, without the description that follows after two spaces. */
function examplesIn(text: string): string[] {
  const joined = text.replaceAll(/ \\\n +/g, ' ');
  return [...joined.matchAll(/^ {2}(cb .*?)(?: {2,}.*)?$/gm)].map(([, line = '']) => line);
}

const examples = [
  ...allCommands.flatMap(({ after }) => examplesIn(after)),
  ...topics.flatMap((topic) => examplesIn(textOf(topicBlocks[topic], 80))),
];

shareWorlds();

// --keychain stores a key outside the test's home; test/e2e/keys/keychain.test.ts runs it.
const runnable = [...new Set(examples)].filter((line) => !line.includes('--keychain'));

test.each(runnable)('runs %s', async (line) => {
  const { code, err } = await runScript(line);
  expect(code, err).toBe(0);
});

test('has an example for every command', () => {
  for (const { path, after } of leaves) {
    expect(
      examplesIn(after).some((line) => line.includes(path)),
      path,
    ).toBe(true);
  }
});
