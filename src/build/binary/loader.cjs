// The main script of the executable: loads the files of dist/ from inside it, as Node loads them from a folder.
const { getRawAsset } = require('node:sea');
const { compileFunction } = require('node:vm');

const modules = new Map();

// Packages that the npm form finds in node_modules.
const packages = { libsql: 'libsql.js', '@napi-rs/keyring': 'keychain.js' };

function load(name) {
  const known = modules.get(name);
  if (known) return known.exports;
  const module = { exports: {} };
  modules.set(name, module);
  const code = Buffer.from(getRawAsset(name)).toString();
  const run = compileFunction(code, ['exports', 'require', 'module'], { filename: name });
  try {
    run(module.exports, find, module);
  } catch (error) {
    modules.delete(name);
    throw error;
  }
  return module.exports;
}

function find(name) {
  if (name.startsWith('./')) return load(name.slice(2));
  if (name.startsWith('@libsql/')) return load('native.js').loadLibrary();
  return Object.hasOwn(packages, name) ? load(packages[name]) : require(name);
}

load('main.js');
