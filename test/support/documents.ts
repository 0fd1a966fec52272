/** The Markdown pages that users read, and the examples in them. */
import { readdirSync, readFileSync } from 'node:fs';

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

/** The text without its code blocks. */
export function proseOf({ text }: Document): string {
  return text.replaceAll(/^```.*$[\s\S]*?^```$/gm, '');
}
