/** Writes the files of a build into a folder. */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CompiledFile } from './compile.ts';

/**
 * Changed files have new names and stale files are removed last, so that a running cb finds its files. A file that
 * keeps its name is replaced atomically. Subfolders stay.
 */
export function writeFolder(folder: string, outputs: readonly CompiledFile[]): void {
  mkdirSync(folder, { recursive: true });
  for (const { name, text } of outputs) {
    const part = join(folder, `.${name}.${process.pid}`);
    writeFileSync(part, text);
    renameSync(part, join(folder, name));
  }
  const names = new Set(outputs.map(({ name }) => name));
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const isStale = entry.isFile() && !names.has(entry.name) && !entry.name.startsWith('.');
    if (isStale) rmSync(join(folder, entry.name));
  }
}
