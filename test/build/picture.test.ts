/** The picture in the README shows what cb prints today. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pictureFile, sessionPicture } from '../../src/build/session-picture.ts';

test('shows in docs/session.svg what cb prints today, within its frame (npm run picture)', async () => {
  const picture = await sessionPicture();
  expect(picture === readFileSync(pictureFile, 'utf8'), 'run npm run picture').toBe(true);
  const width = Number(/ width="([\d.]+)"/.exec(picture)?.[1]);
  const ends = [...picture.matchAll(/ x="([\d.]+)".* textLength="([\d.]+)"/g)].map(
    ([, x, length]) => Number(x) + Number(length),
  );
  expect(ends.length).toBeGreaterThan(50);
  expect(Math.max(...ends)).toBeLessThanOrEqual(width - 10);
});
