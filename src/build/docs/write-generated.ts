/** Where generated files go. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface GeneratedFile {
  /** Below completions/. */
  readonly name: string;
  readonly text: string;
}

export const completionsFolder = fileURLToPath(new URL('../../../completions', import.meta.url));

export function writeGenerated(files: readonly GeneratedFile[]): void {
  for (const { name, text } of files) {
    const file = join(completionsFolder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
