/**
 * The declarations of the library: each entry of the package is one file, which imports at most `Decimal`. The compiler
 * declares the public modules; this joins them, with the types of the catalogue written out.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CompiledFile } from '../compile.ts';
import { catalogueTypes } from './catalogue-types.ts';

/** The public modules, which import only each other and what `shared` declares. */
const modules: Readonly<Record<string, readonly string[]>> = {
  'decimal.d.ts': ['operations/decimal'],
  'index.d.ts': [
    'operations/finding',
    'client/errors',
    'client/exchange',
    'safe-write/plan',
    'library/types',
    'library/catalogue',
    'library/client',
    'library/credentials',
  ],
  'ins.d.ts': [
    'features/ins/event-types',
    'features/ins/event',
    'features/ins/notification-error',
    'features/ins/notification',
  ],
  'sandbox.d.ts': ['sandbox/index'],
};

/** A type of which there must be only one, so that a program can pass it from one entry to another. */
const shared = `import type { Decimal } from './decimal.js';\nexport type { Decimal };\n\n`;

/** Runs the compiler in the root of the repository. Throws if it reports an error. */
export function declarations(): CompiledFile[] {
  const folder = mkdtempSync(join(tmpdir(), 'cb-declarations-'));
  try {
    emit(folder);
    return Object.entries(modules).map(([name, parts]) => ({
      name,
      text: joined(parts.map((part) => declarationOf(folder, part))),
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function emit(folder: string): void {
  const compiler = createRequire(import.meta.url).resolve('typescript/package.json');
  const project = ['--project', 'src/build/library/tsconfig.json', '--outDir', folder];
  const args = [join(compiler, '../bin/tsc'), ...project];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout);
}

function declarationOf(folder: string, part: string): string {
  if (part === 'library/catalogue') return catalogueTypes();
  return readFileSync(join(folder, `${part}.d.ts`), 'utf8');
}

/** Without the last line, everything in a declaration file is exported. */
function joined(texts: readonly string[]): string {
  const own = texts.map((text) =>
    text
      // The comment of a module precedes its imports or the comment of its first declaration.
      .replace(/^\/\*\*[\s\S]*?\*\/\n(?=import |\/\*\*)/, '')
      .replaceAll(/^import [^;]*;\n|^export \{\};\n/gm, '')
      .trim(),
  );
  const text = own.join('\n\n');
  const imports = /\bDecimal\b/.test(text) && !text.includes('type Decimal =') ? shared : '';
  return `/// <reference lib="esnext.disposable" />\n${imports}${text}\n\nexport {};\n`;
}
