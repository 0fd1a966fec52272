/** The picture in the README shows what cb prints today. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pictureFile, sessionPicture } from '../../src/build/session-picture.ts';

test('shows in docs/session.svg what cb prints today (npm run picture)', async () => {
  const isFresh = (await sessionPicture()) === readFileSync(pictureFile, 'utf8');
  expect(isFresh, 'run npm run picture').toBe(true);
});

test('fits every line of the picture inside its frame', async () => {
  const picture = await sessionPicture();
  const width = Number(/ width="([\d.]+)"/.exec(picture)?.[1]);
  const ends = [...picture.matchAll(/ x="([\d.]+)".* textLength="([\d.]+)"/g)].map(
    ([, x, length]) => Number(x) + Number(length),
  );
  expect(ends.length).toBeGreaterThan(50);
  expect(Math.max(...ends)).toBeLessThanOrEqual(width - 10);
});
