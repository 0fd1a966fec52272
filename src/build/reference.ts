/** The program of `npm run reference`: writes the man pages and the command reference. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './compile.ts';
import { referenceFiles } from './generated.ts';

for (const { name, text } of referenceFiles()) {
  const file = join(root, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
