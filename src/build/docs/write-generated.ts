/** Writes generated files into the repository. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface GeneratedFile {
  /** The path relative to the root of the repository. */
  readonly name: string;
  readonly text: string;
}

export const root = fileURLToPath(new URL('../../../', import.meta.url));

export function writeGenerated(files: readonly GeneratedFile[]): void {
  for (const { name, text } of files) {
    const file = join(root, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
