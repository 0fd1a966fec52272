/** Runs code in a program before the program itself, for example to replace a function of Node. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The environment of a program that runs this CommonJS code first. The code is stored in `folder`. */
export function preload(folder: string, code: string): { NODE_OPTIONS: string } {
  const hook = join(mkdtempSync(join(folder, 'preload-')), 'hook.cjs');
  writeFileSync(hook, `${code}\nrequire('node:module').syncBuiltinESMExports();\n`);
  return { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --require ${hook}` };
}
