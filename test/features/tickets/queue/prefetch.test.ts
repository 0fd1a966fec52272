/** Reading ahead keeps only what is near, and repeats failed reads. */
import { expect, test } from 'vitest';
import { openPrefetch } from '../../../../src/features/tickets/queue/ticket-details.ts';

test('keeps only what is near, and reads again what failed or was dropped', async () => {
  const reads: string[] = [];
  const prefetch = openPrefetch(async (key) => {
    reads.push(key);
    const times = reads.filter((one) => one === key).length;
    if (key === 'x' && times === 1) throw new Error('x failed');
    return `${key}${times}`;
  });
  for (let i = 0; i < 100; i++) prefetch.keep([`${i}`, `${i + 1}`]);
  expect(reads).toHaveLength(101);
  expect([await prefetch.get('100'), await prefetch.get('3')]).toEqual(['1001', '32']);
  prefetch.keep(['x', 'y']);
  await expect(prefetch.get('x')).rejects.toThrow('x failed');
  expect([await prefetch.get('x'), await prefetch.get('y')]).toEqual(['x2', 'y1']);
  prefetch.drop('y');
  expect(await prefetch.get('y')).toBe('y2');
});
