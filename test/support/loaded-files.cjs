/**
 * Writes into the file named by LOADED_FILES, at the end of a Node process: the files that it has loaded,
 * and of which of them V8 took code that was made by another process.
 */
const { writeFileSync } = require('node:fs');
const vm = require('node:vm');

const scripts = [];

vm.Script = class extends vm.Script {
  constructor(text, options) {
    super(text, options);
    scripts.push({ file: options.filename, recalled: this.cachedDataRejected === false });
  }
};

process.on('exit', () => {
  const files = [...Object.keys(require.cache), ...scripts.map(({ file }) => file)];
  const recalled = scripts.filter((script) => script.recalled).map(({ file }) => file);
  writeFileSync(process.env.LOADED_FILES, JSON.stringify({ files, recalled }));
});
