/** What the files of the built program are loaded with, in place of Node's require. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadFrom } from '../../src/loading/loader.ts';

/** Loads out of a folder with the files, each as the build writes it: a function. */
function loaderOf(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'cb-loader-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), `(function (exports, require, module) {${text}\n})`);
  }
  return loadFrom(`${folder}/`, createRequire(import.meta.url));
}

test('a file gets what others export, and each runs once', () => {
  const load = loaderOf({
    'one.js': "exports.both = [require('./two.js'), require('./two.js')];",
    'two.js': 'module.exports = { made: {} };',
  });
  const { both } = load('./one.js') as { both: [object, object] };
  expect(both[0]).toHaveProperty('made');
  expect(both[1]).toBe(both[0]);
});

test('files may ask for each other in a circle', () => {
  const load = loaderOf({
    'one.js': "exports.name = 'one'; exports.other = require('./two.js').name;",
    'two.js': "exports.name = 'two of '.concat(require('./one.js').name);",
  });
  expect(load('./one.js')).toEqual({ name: 'one', other: 'two of one' });
});

test('modules of Node and packages come from Node', () => {
  const load = loaderOf({ 'one.js': "exports.found = [require('node:path'), require('conf')];" });
  const require = createRequire(import.meta.url);
  expect(load('./one.js')).toEqual({ found: [require('node:path'), require('conf')] });
});

test('text of any script stays as it is', () => {
  const load = loaderOf({ 'one.js': "exports.name = 'Олена 박서연';" });
  expect(load('./one.js')).toEqual({ name: 'Олена 박서연' });
});

test('a fault is found at its line of the file, each time that the file is asked for', () => {
  const load = loaderOf({ 'one.js': "\n\n  throw new Error('broken');" });
  for (const _ of [1, 2]) {
    expect(stackOf(() => load('./one.js'))).toMatch(/Error: broken\n.*one\.js:3:9/);
  }
});

function stackOf(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    return (error as Error).stack;
  }
  return undefined;
}
