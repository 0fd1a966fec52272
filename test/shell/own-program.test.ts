/** The PATH of programs that cb starts. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pathWithCb } from '../../src/shell/own-program.ts';
import { emptyHome } from '../support/binary.ts';

test('puts the folder of cb in front only if PATH lacks this cb or has another one first', () => {
  const home = emptyHome();
  const [own, other, linked] = ['own', 'other', 'linked'].map((name) => join(home, name));
  for (const folder of [own, other, linked]) mkdirSync(folder ?? '');
  const program = join(own ?? '', 'cb');
  writeFileSync(program, '');
  writeFileSync(join(other ?? '', 'cb'), '');
  symlinkSync(program, join(linked ?? '', 'cb'));
  expect(pathWithCb(program, '/bin')).toBe(`${own}:/bin`);
  expect(pathWithCb(program, `${other}:${own}`)).toBe(`${own}:${other}:${own}`);
  expect(pathWithCb(program, `/bin:${own}:${other}`)).toBe(`/bin:${own}:${other}`);
  expect(pathWithCb(program, `${linked}:${other}`)).toBe(`${linked}:${other}`);
  expect(pathWithCb(join(home, 'cb.js'), '/bin')).toBe('/bin');
  expect(pathWithCb(program, undefined)).toBeUndefined();
  expect(pathWithCb(undefined, '/bin')).toBe('/bin');
});
