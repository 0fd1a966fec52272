/** The program of `npm run reference`: writes the man pages and the command reference. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './compile.ts';
import { referenceFiles } from './generated.ts';

for (const { name, text } of referenceFiles()) {
  writeFileSync(join(root, name), text);
}
