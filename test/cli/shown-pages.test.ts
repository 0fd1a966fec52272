import { expect, test } from 'vitest';
import { failingOnce } from '../../src/cli/shown-pages.ts';

test('Nothing more is written to what has failed, however often it is tried', async () => {
  const taken: unknown[] = [];
  const full = new Error('the disk is full');
  const sink = failingOnce({
    shown: false,
    write: async (text) => {
      taken.push(text);
      if (taken.length === 2) throw full;
    },
    commit: async () => undefined,
    discard: async () => undefined,
  });
  await sink.write('a');
  await expect(sink.write('b')).rejects.toBe(full);
  await expect(sink.write('c')).rejects.toBe(full);
  expect(taken).toEqual(['a', 'b']);
});
