/** Writes the files that a Node process has loaded by its end into the file named by LOADED_FILES. */
const { writeFileSync } = require('node:fs');

process.on('exit', () => {
  writeFileSync(process.env.LOADED_FILES, JSON.stringify(Object.keys(require.cache)));
});
