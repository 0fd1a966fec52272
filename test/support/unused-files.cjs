/**
 * Lists the unreachable program files of a folder: `node unused-files.cjs FOLDER ENTRY...`. A file
 * reaches another by naming it. Exits with 1 if there are any.
 */
const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const [folder, ...entries] = process.argv.slice(2);
const names = readdirSync(folder).filter((name) => name.endsWith('.js'));
const reached = new Set(entries);
// Iterating a set also visits elements added meanwhile.
for (const name of reached) {
  const text = readFileSync(join(folder, name), 'utf8');
  for (const other of names) if (text.includes(other)) reached.add(other);
}
const unused = names.filter((name) => !reached.has(name));
if (unused.length > 0) {
  process.stderr.write(`unused: ${unused.join(', ')}\n`);
  process.exitCode = 1;
}
