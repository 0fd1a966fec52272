/** Writes the files that a Node process has loaded into the file named by LOADED_FILES when it exits. */
const { writeFileSync } = require('node:fs');

process.on('exit', () => {
  writeFileSync(process.env.LOADED_FILES, JSON.stringify(Object.keys(require.cache)));
});
