/** The picture of the README shows what cb prints today. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pictureFile, sessionPicture } from '../../src/build/picture/session-picture.ts';

test('The picture of a session is not stale (npx tsx src/build/picture/picture.ts)', async () => {
  const isFresh = (await sessionPicture()) === readFileSync(pictureFile, 'utf8');
  expect(isFresh, 'run npx tsx src/build/picture/picture.ts').toBe(true);
});

test('Every line of the picture has room in it', async () => {
  const picture = await sessionPicture();
  const width = Number(/ width="([\d.]+)"/.exec(picture)?.[1]);
  const ends = [...picture.matchAll(/ x="([\d.]+)".* textLength="([\d.]+)"/g)].map(
    ([, x, length]) => Number(x) + Number(length),
  );
  expect(ends.length).toBeGreaterThan(50);
  expect(Math.max(...ends)).toBeLessThanOrEqual(width - 10);
});
