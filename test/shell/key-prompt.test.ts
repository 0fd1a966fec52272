/** Questions that a key or a line answers, on a real stream. */
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { backAnswer, type Prompts, promptsOn } from '../../src/shell/terminal/prompts.ts';
import { Recorder } from '../support/streams.ts';

const choices = [
  { key: 'y', name: 'send', short: 'yes' },
  { key: 'n', name: 'do not send' },
  { key: 'enter', short: 'no' },
  { key: 'escape', short: 'no' },
  { key: '?' },
];

function asking(message = 'Send it?', ask = (prompts: Prompts) => prompts.key(message, choices)) {
  const stdin = new PassThrough();
  const stderr = new Recorder({ tty: true, columns: 80 });
  const { signal } = new AbortController();
  const prompts = promptsOn({ stdin, stderr, signal, color: false });
  const answer = ask(prompts);
  answer.catch(() => undefined);
  const type = async (keys: string) => {
    await setImmediate();
    stdin.write(keys);
    await setImmediate();
  };
  return { answer, type, shown: () => stripVTControlCharacters(stderr.text) };
}

test.each([
  ['y', 'y', 'yes'],
  ['Y', 'y', 'yes'],
  ['\r', 'enter', 'no'],
  ['?', '?', '?'],
  ['nyyy', 'n', 'do not send'],
  ['abcdefg1234 y', 'y', 'yes'],
  ['\u0001\u0019n', 'n', 'do not send'],
  ['\u001b[A\u001b[Bn', 'n', 'do not send'],
])('answers %j with the first key that fits, %s, and shows %s', async (typed, key, says) => {
  const { answer, type, shown } = asking();
  await type(typed);
  expect(await answer).toBe(key);
  expect(shown()).toContain('Send it?\ny send  n do not send');
  expect(shown()).toContain(`Send it? ${says}`);
});

test.each(['\u0003', '\u0004'])('rejects for Ctrl-C and Ctrl-D: %j', async (typed) => {
  const { answer, type } = asking();
  await type(typed);
  await expect(answer).rejects.toMatchObject({ name: 'ExitPromptError' });
});

test('removes control sequences from the question', async () => {
  const { answer, type, shown } = asking('Send \u202eit\u009b31m?');
  await type('n');
  await answer;
  expect(shown()).not.toMatch(/[\u202e\u009b]/);
});

test('breaks a long question for a text between words', async () => {
  const question = 'Amount to refund in US dollars, at most 37.00 USD (Esc: back, Ctrl-C: cancel):';
  const { answer, type, shown } = asking('', (prompts) => prompts.input(question));
  await type('5\r');
  expect(await answer).toBe('5');
  expect(shown()).toContain('(Esc: back, Ctrl-C:\ncancel): 5');
});

const atMost50 = (answer: string) => (Number(answer) > 50 ? 'At most 50.' : undefined);

const amount = (initial?: string) => (prompts: Prompts) =>
  prompts.input('Amount:', atMost50, initial, { hasBack: true });

test.each([
  ['the next letters replace it', '90\r', '40\r', '40'],
  ['Backspace removes it', '90\r', '\u007f12\r', '12'],
  ['an arrow key edits it', '90\r', '\u001b[D\u007f\r', '9'],
])('selects a refused text: %s', async (_, first, then, answered) => {
  const { answer, type, shown } = asking('', amount());
  await type(first);
  expect(shown()).toContain('At most 50.');
  await type(then);
  expect(await answer).toBe(answered);
});

test('keeps a text to edit, and refuses the same text again', async () => {
  const { answer, type, shown } = asking('', amount('7'));
  await type('0\r');
  await type('\r');
  expect(shown()).toContain('At most 50.');
  await type('5\r');
  expect(await answer).toBe('5');
});

const list = [
  { value: 'a', name: 'One' },
  { value: backAnswer, name: 'Back (Esc)' },
];

test.each([
  ['a text', amount()],
  ['a list', (prompts: Prompts) => prompts.select('Which?', list)],
])('goes back with Esc from %s', async (_, ask) => {
  const { answer, type } = asking('', ask);
  await type('\u001b');
  expect(await answer).toBe(backAnswer);
});
