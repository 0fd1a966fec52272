/** The examples in the help, and which of them must print rows. */
import { textOf } from '../../../src/shell/help/blocks.ts';
import { topics } from '../../../src/shell/help/topics.ts';
import { topicBlocks } from '../../../src/shell/help/usage-topics.ts';
import { allCommands } from '../../support/tree.ts';

/** Lines that begin with cb, without the description that follows after two spaces. */
export function examplesIn(text: string): string[] {
  const joined = text.replaceAll(/ \\\n +/g, ' ');
  return [...joined.matchAll(/^ {2}(cb .*?)(?: {2,}.*)?$/gm)].map(([, line = '']) => line);
}

export const helpExamples: ReadonlySet<string> = new Set([
  ...allCommands.flatMap(({ after }) => examplesIn(after)),
  ...topics.flatMap((topic) => examplesIn(textOf(topicBlocks[topic], 80))),
]);

/** Commands that print rows. */
export const reads =
  /^cb (--\S+ )?(orders|tickets|products|quickstats|ship|analytics) .*\b(list|get|count)\b/m;
