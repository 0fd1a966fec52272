/** The parts of a command line that are read before commander parses it. */
import { expect, test } from 'vitest';
import { readArgv } from '../../src/shell/argv.ts';

const split = (line: string) => line.split(' ');

test.each([
  ['orders list', ['orders', 'list']],
  ['--profile shop -o csv orders --debug list', ['orders', 'list']],
  ['--profile=shop --tz UTC orders', ['orders']],
  ['sandbox exec -- orders list', ['sandbox', 'exec']],
])("finds the command words of '%s'", (line, words) => {
  expect(readArgv(split(line)).words).toEqual(words);
});

test.each([
  ['-o json', true],
  ['-ojson', true],
  ['--output json', true],
  ['--output=json', true],
  ['-o csv', false],
  ['-o', false],
  ['sandbox exec -- program -o json', false],
])("detects in '%s' whether errors are printed as JSON: %s", (line, json) => {
  expect(readArgv(split(line)).json).toBe(json);
});

test('reads an incomplete command line', () => {
  expect(readArgv(['--sandbox', '--debug', '--profile'])).toMatchObject({
    sandbox: true,
    debug: true,
    profile: undefined,
  });
});

test.each([
  ['orders list', 0],
  ['--profile shop -o csv week', 4],
  ['-ojson --json week', 2],
  ['--limit 3 week', undefined],
  ['--comment week', undefined],
  ['-- week', undefined],
])("finds the place of an alias in '%s'", (line, start) => {
  expect(readArgv(split(line)).start).toBe(start);
});
