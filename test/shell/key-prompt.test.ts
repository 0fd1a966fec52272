/** Questions that one key answers, on a real stream. */
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { promptsOn } from '../../src/shell/terminal/prompts.ts';
import { Recorder } from '../support/streams.ts';

const choices = [
  { key: 'y', name: 'send', short: 'yes' },
  { key: 'n', name: 'do not send' },
  { key: 'enter', short: 'no' },
  { key: 'escape', short: 'no' },
  { key: '?' },
];

function asking(message = 'Send it?') {
  const stdin = new PassThrough();
  const stderr = new Recorder({ tty: true, columns: 80 });
  const { signal } = new AbortController();
  const prompts = promptsOn({ stdin, stderr, signal, color: false });
  const answer = prompts.key(message, choices);
  answer.catch(() => undefined);
  const type = async (keys: string) => {
    await setImmediate();
    stdin.write(keys);
    await setImmediate();
  };
  return { answer, type, shown: () => stripVTControlCharacters(stderr.text) };
}

test.each([
  ['y', 'y'],
  ['Y', 'y'],
  ['\r', 'enter'],
  ['?', '?'],
  ['abcdefg1234 y', 'y'],
  ['\u0001\u0019n', 'n'],
  ['\u001b[A\u001b[Bn', 'n'],
])('answers %j with the key %s', async (typed, key) => {
  const { answer, type, shown } = asking();
  await type(typed);
  expect(await answer).toBe(key);
  expect(shown()).toContain('Send it?\ny send  n do not send');
});

test('takes only the first key of what arrives at once', async () => {
  const { answer, type } = asking();
  await type('nyyy');
  expect(await answer).toBe('n');
});

test('shows the answer after the question', async () => {
  const { answer, type, shown } = asking();
  await type('y');
  await answer;
  expect(shown()).toContain('Send it? yes');
});

test.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
])('rejects for %s', async (_, typed) => {
  const { answer, type } = asking();
  await type(typed);
  await expect(answer).rejects.toMatchObject({ name: 'ExitPromptError' });
});

test('removes control sequences from the question and the names of keys', async () => {
  const { answer, type, shown } = asking('Send \u202eit\u009b31m?');
  await type('n');
  await answer;
  expect(shown()).not.toMatch(/[\u202e\u009b]/);
});
