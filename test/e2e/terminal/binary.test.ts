/** The built program with its own sandbox and home folder. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { binary, cb, emptyHome, shell } from '../../support/binary.ts';
import { cbOfCommands, ownInEach } from '../../support/own-program.ts';
import { expectExit } from '../../support/refusal.ts';

test('reports on stderr that it creates sample orders, only at the first use of the sandbox', async () => {
  const home = emptyHome();
  for (const err of ['sandbox: Creating 5000 sample orders. This happens only once.\n', '']) {
    const ran = await cb(['--sandbox', 'orders', 'active', 'MONTHLY1'], { home }).ended();
    expect(ran).toEqual({ code: 0, out: 'active\n', err });
  }
});

test('runs a program against the sandbox with cb sandbox exec, and ends with its exit code', async () => {
  const home = emptyHome();
  await cb(['sandbox', 'seed', '--orders', '60'], { home }).ended();
  const inner = `'${process.execPath}' '${binary}' orders active REFUND01`;
  const ran = await shell(`cb sandbox exec -- sh -c "${inner}"`, { home }).ended();
  expect(ran).toMatchObject({ code: 9, out: 'inactive\n' });
  const missing = await shell('cb sandbox exec -- no-such-program', { home }).ended();
  expectExit(missing, 2, "Cannot run 'no-such-program'");
});

test('starts commands in which cb is the program that runs, not another one in PATH', async () => {
  const installed = join(emptyHome(), 'cb');
  symlinkSync(binary, installed);
  expect(await cbOfCommands(installed)).toEqual(ownInEach);
  // A file of another name is not found as `cb`.
  expect(await cbOfCommands(binary)).toMatchObject({ watch: 'other', direct: 'own' });
});
