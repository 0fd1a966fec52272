import { expect, test } from 'vitest';
import { home } from '../../support/cb.ts';

test('--tz takes another zone for words like tomorrow', async () => {
  const { cb } = home();
  const line = 'orders change-date MONTHLY1 --change-date tomorrow --dry-run';
  expect((await cb(line)).out).toContain('changeDate=2026-03-19');
  expect((await cb(`${line} --tz Pacific/Auckland`)).out).toContain('changeDate=2026-03-20');
});
