/** Reading ahead keeps only what is near, and repeats failed reads. */
import { expect, test } from 'vitest';
import { openPrefetch } from '../../../../src/features/tickets/queue/ticket-details.ts';

function counting(fails: (key: string, time: number) => boolean = () => false) {
  const reads: string[] = [];
  const prefetch = openPrefetch(async (key) => {
    reads.push(key);
    const times = reads.filter((one) => one === key).length;
    if (fails(key, times)) throw new Error(`${key} failed`);
    return `${key}${times}`;
  });
  return { reads, prefetch };
}

test('reads each of the next keys once, in the background', async () => {
  const { reads, prefetch } = counting();
  prefetch.keep(['a', 'b', 'c']);
  expect(reads).toEqual(['a', 'b', 'c']);
  expect([await prefetch.get('b'), await prefetch.get('b')]).toEqual(['b1', 'b1']);
  expect(reads).toEqual(['a', 'b', 'c']);
});

test('forgets everything else, so that memory stays flat', async () => {
  const { reads, prefetch } = counting();
  for (let i = 0; i < 100; i++) prefetch.keep([`${i}`, `${i + 1}`]);
  expect(reads).toHaveLength(101);
  expect(await prefetch.get('3')).toBe('32');
});

test('reads a key again after it was dropped, or after its read failed', async () => {
  const { prefetch } = counting((key, times) => key === 'x' && times === 1);
  prefetch.keep(['x', 'y']);
  await expect(prefetch.get('x')).rejects.toThrow('x failed');
  expect(await prefetch.get('x')).toBe('x2');
  expect(await prefetch.get('y')).toBe('y1');
  prefetch.drop('y');
  expect(await prefetch.get('y')).toBe('y2');
});
