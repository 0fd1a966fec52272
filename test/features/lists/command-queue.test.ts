/** A queue of commands limits how many run at the same time, keeps their order, and ends them. */
import { expect, test } from 'vitest';
import type { Clock } from '../../../src/client/clock.ts';
import { realClock } from '../../../src/client/clock.ts';
import { type Outcome, openCommandQueue } from '../../../src/features/lists/command-queue.ts';

/** Waits end at once, unless they are canceled first. */
const impatient: Clock = { ...realClock, sleep: async () => undefined };

function commands(most: number, clock: Clock = realClock) {
  const started: string[] = [];
  const outcomes: (readonly [string, Outcome])[] = [];
  const signals: (readonly [string, string])[] = [];
  const ends = new Map<string, (outcome: Outcome) => void>();
  const queue = openCommandQueue<string>({
    most,
    clock,
    async start(row) {
      if (row === 'broken') throw new Error('no shell');
      started.push(row);
      const ended = new Promise<Outcome>((done) => ends.set(row, done));
      return {
        ended,
        kill(signal) {
          signals.push([row, signal]);
          if (signal === 'SIGKILL') ends.get(row)?.({ kind: 'killed', signal });
        },
      };
    },
    onEnded: (row, outcome) => void outcomes.push([row, outcome]),
  });
  const exit = async (row: string, code = 0) => {
    ends.get(row)?.({ kind: 'exited', code });
    await new Promise((done) => setImmediate(done));
  };
  return { queue, started, outcomes, signals, exit };
}

test('starts the next row when a command ends, in order', async () => {
  const { queue, started, exit } = commands(2);
  queue.add(['a', 'b', 'c']);
  queue.add(['d']);
  await exit('');
  expect(started).toEqual(['a', 'b']);
  await exit('b');
  expect(started).toEqual(['a', 'b', 'c']);
  await exit('a');
  await exit('c');
  await exit('d');
  await queue.drain();
  expect(started).toEqual(['a', 'b', 'c', 'd']);
});

test('reports a command that could not be started, and continues', async () => {
  const { queue, outcomes, exit } = commands(1);
  queue.add(['broken', 'a']);
  await exit('');
  await exit('a', 3);
  await queue.drain();
  expect(outcomes).toEqual([
    ['broken', { kind: 'not-started', reason: 'no shell' }],
    ['a', { kind: 'exited', code: 3 }],
  ]);
});

test('returns the waiting rows when it is stopped, and ends what does not finish', async () => {
  const { queue, signals, started } = commands(1, impatient);
  queue.add(['a', 'b', 'c']);
  await new Promise((done) => setImmediate(done));
  expect(await queue.stop()).toEqual(['b', 'c']);
  expect(started).toEqual(['a']);
  expect(signals).toEqual([
    ['a', 'SIGTERM'],
    ['a', 'SIGKILL'],
  ]);
});
