/** The Markdown pages that users read, and the examples in them and in the help. */
import { readdirSync, readFileSync } from 'node:fs';
import { textOf } from '../../src/shell/help/blocks.ts';
import { topics } from '../../src/shell/help/topics.ts';
import { topicBlocks } from '../../src/shell/help/usage-topics.ts';
import { allCommands } from './tree.ts';

export interface Document {
  /** Path below the root of the repository. */
  readonly path: string;
  readonly text: string;
}

export interface Example {
  readonly path: string;
  /** The nearest heading or bold sentence above. */
  readonly title: string;
  readonly script: string;
}

/** The README and every page of docs/, without the decisions and the generated reference. */
export const documents: readonly Document[] = [
  'README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.md') && !path.startsWith('docs/decisions/'))
    .filter((path) => path !== 'docs/reference.md')
    .sort(),
].map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** The blocks in ```sh, which must run. Other blocks show what only a person can run. */
export function examplesOf({ path, text }: Document): Example[] {
  const parts = text.matchAll(/^#+ (.+)$|^\*\*([^*]+)\*\*|^```sh$\n([\s\S]*?)^```$/gm);
  let title = '';
  const examples: Example[] = [];
  for (const [, heading, bold, script] of parts) {
    if (script === undefined) title = heading ?? bold ?? '';
    else examples.push({ path, title, script });
  }
  return examples;
}

/** Lines that begin with cb, without the description that follows after two spaces. */
export function examplesIn(text: string): string[] {
  const joined = text.replaceAll(/ \\\n +/g, ' ');
  return [...joined.matchAll(/^ {2}(cb .*?)(?: {2,}.*)?$/gm)].map(([, line = '']) => line);
}

/** Each example of the help of all commands and topics. */
export const helpExamples: ReadonlySet<string> = new Set([
  ...allCommands.flatMap(({ after }) => examplesIn(after)),
  ...topics.flatMap((topic) => examplesIn(textOf(topicBlocks[topic], 80))),
]);
