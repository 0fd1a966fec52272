/** The examples in the help. */
import { textOf } from '../../src/shell/help/blocks.ts';
import { topics } from '../../src/shell/help/topics.ts';
import { topicBlocks } from '../../src/shell/help/usage-topics.ts';
import { allCommands } from './tree.ts';

/** Lines that begin with cb, without the description that follows after two spaces. */
export function examplesIn(text: string): string[] {
  const joined = text.replaceAll(/ \\\n +/g, ' ');
  return [...joined.matchAll(/^ {2}(cb .*?)(?: {2,}.*)?$/gm)].map(([, line = '']) => line);
}

/** Each line of all commands and topics. */
export const helpExamples: ReadonlySet<string> = new Set([
  ...allCommands.flatMap(({ after }) => examplesIn(after)),
  ...topics.flatMap((topic) => examplesIn(textOf(topicBlocks[topic], 80))),
]);
