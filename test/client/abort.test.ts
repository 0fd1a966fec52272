import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { onAbort } from '../../src/client/abort.ts';

/** The warnings of Node until the test ends. */
function collectWarnings(): string[] {
  const warnings: string[] = [];
  const note = ({ name }: Error) => warnings.push(name);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  return warnings;
}

test('runs all actions of a signal except forgotten ones, without a warning for many listeners', async () => {
  const warnings = collectWarnings();
  const controller = new AbortController();
  const signal = AbortSignal.any([controller.signal]);
  const done: number[] = [];
  const forget = Array.from({ length: 30 }, (_, n) => onAbort(signal, () => done.push(n)));
  forget[3]?.();
  controller.abort();
  await setImmediate();
  expect(done).toEqual(Array.from({ length: 30 }, (_, n) => n).filter((n) => n !== 3));
  expect(warnings).toEqual([]);
});

test('runs an action at once if the signal is aborted, and again none that was forgotten', () => {
  const controller = new AbortController();
  const done: string[] = [];
  onAbort(controller.signal, () => done.push('forgotten'))();
  onAbort(controller.signal, () => done.push('kept'));
  controller.abort();
  onAbort(controller.signal, () => done.push('at once'));
  expect(done).toEqual(['kept', 'at once']);
});
