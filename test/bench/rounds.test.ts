/** Tests the statistics of the benchmark. */
import { expect, test } from 'vitest';
import { alternate, median } from './rounds.ts';

test('computes the median of odd and even counts', () => {
  expect([median([9, 1, 4]), median([4, 1, 3, 2])]).toEqual([4, 2.5]);
});

const one = { seconds: 1, cpuSeconds: undefined, peakMiB: undefined, lines: 0 };

test('reverses the order in every second round', async () => {
  const ran: string[] = [];
  const entrants = ['a', 'b', 'c'].map((key) => ({
    key,
    run: async () => {
      ran.push(key);
      return one;
    },
  }));
  const taken = await alternate(entrants, { rounds: 2, until: Number.POSITIVE_INFINITY });
  expect(ran.join('')).toBe('abccba');
  expect(taken.get('b')).toEqual([one, one]);
});

test('always runs the first round, and starts no other after the time limit', async () => {
  const entrants = [{ key: 'a', run: async () => one }];
  const taken = await alternate(entrants, { rounds: 5, until: 0 });
  expect(taken.get('a')).toHaveLength(1);
});
