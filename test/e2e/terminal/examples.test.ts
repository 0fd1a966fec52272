/** The help tells the truth: every example in it runs as it stands there. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { type CommandNode, readTree } from '../../../src/cli/completion/tree.ts';
import { textOf } from '../../../src/cli/help/blocks.ts';
import { topicBlocks, topics } from '../../../src/cli/help/topics.ts';
import { exitCodes } from '../../../src/cli/runtime/exit-codes.ts';
import { buildWholeProgram } from '../../../src/cli/runtime/program.ts';
import { world } from '../../support/cb.ts';
import { runExample } from '../../support/example-world.ts';

const { context } = world('/', {});
const call = { context: { ...context, stdout: new PassThrough() }, code: exitCodes.ok };
const tree = readTree(await buildWholeProgram(call));

/** Lines that begin with cb; what two blanks part from it is told about it. */
function examplesIn(text: string): string[] {
  return [...text.matchAll(/^ {2}(cb .*?)(?: {2,}.*)?$/gm)].map(([, line = '']) => line);
}

function allExamples({ after, commands }: CommandNode): string[] {
  return [...examplesIn(after), ...commands.flatMap(allExamples)];
}

function leaves(node: CommandNode): CommandNode[] {
  return node.commands.length === 0 ? [node] : node.commands.flatMap(leaves);
}

const examples = [
  ...allExamples(tree),
  ...topics.flatMap((topic) => examplesIn(textOf(topicBlocks(topic), 80))),
];

/** Codes other than 0 that an example is meant to end with. */
function codesOf(line: string): readonly number[] {
  // Ends by Ctrl-C, or finds that something else has its port.
  if (line.startsWith('cb sandbox start')) return [exitCodes.interrupted, exitCodes.network];
  return [exitCodes.ok];
}

// Keeps a key outside of the test's home; test/e2e/keys/keychain.test.ts runs it.
const elsewhere = /--keychain/;

const runnable = [...new Set(examples)].filter((line) => !elsewhere.test(line));

test.each(runnable)('%s', async (line) => {
  const { code, err } = await runExample(line);
  expect(codesOf(line), err).toContain(code);
});

test('Every command has an example of itself', () => {
  for (const { path, after } of leaves(tree)) {
    expect(
      examplesIn(after).some((line) => line.includes(path)),
      path,
    ).toBe(true);
  }
});
