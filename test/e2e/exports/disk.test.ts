/** Full and read-only disks: errors are reported, no file is partial, and no row of an import is sent without a journal entry. */
import { readdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { cb, emptyHome, shell } from '../../support/binary.ts';
import { home } from '../../support/cb.ts';
import { expectExit } from '../../support/refusal.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';
import { noSmallDisk, smallDisk } from '../../support/small-disk.ts';

/** Larger than the small disk. */
const orders = JSON.stringify({
  orderData: Array(100).fill({ receipt: 'A1', fullName: 'x'.repeat(1000) }),
});

const manyOrders = () => serve((reply) => reply.end(orders));

const list = 'orders list --period today --max-wait 0';

/** The environment with which cb stores all of its data in a folder. */
function foldersOn(folder: string) {
  return Object.fromEntries(
    ['CONFIG', 'DATA', 'STATE'].map((one) => [`XDG_${one}_HOME`, folder] as const),
  );
}

/** The system may count the blocks of a removed file as used for a moment. */
async function untilFree(folder: string, blocks: number): Promise<void> {
  while (statfsSync(folder).bfree < blocks) await sleep(20);
}

describe.skipIf(noSmallDisk !== undefined)(noSmallDisk ?? 'with a disk of 64 kB', () => {
  test.each([
    'a.csv',
    'a.json',
    'a.xml --raw',
    'a.json --query @',
    'a.csv --resume',
    'a.csv --since-last x',
  ])(
    'writes no file under its name on a full disk, keeps the old one, and ends with exit code 8: %s',
    async (name) => {
      const at = home();
      const { env } = await manyOrders();
      const { folder } = smallDisk(at.folder);
      const { bfree } = statfsSync(folder);
      const [file = ''] = name.split(' ');
      for (const before of [undefined, 'of yesterday\n']) {
        await untilFree(folder, bfree);
        if (before !== undefined) writeFileSync(join(folder, file), before);
        const isFull = /a\.\w+ can't be written \(ENOSPC: the disk is full\)\./i;
        expectExit(await at.cb(`${list} --out disk/${name}`, { env }), 8, isFull);
        expect(readdirSync(folder)).toEqual(before === undefined ? [] : [file]);
        if (before !== undefined) expect(readFileSync(join(folder, file), 'utf8')).toBe(before);
      }
    },
  );

  test('says that the disk is full if there is no room for a lock file', async () => {
    const home = emptyHome();
    const { env, asked } = await manyOrders();
    const { folder } = smallDisk(home);
    const fill = `cat /dev/zero 2>/dev/null > disk/full`;
    const line = `${list} --out ${join(folder, 'a.csv')}`;
    const ran = await shell(`${fill}; cb ${line}`, { home, env }).ended();
    const says = /\(ENOSPC: the disk is full\)\..*Free some space, or use a file on another disk\./;
    expectExit(ran, 2, says);
    expect(asked).toEqual([]);
  });

  test('completes reads with a full home folder, and stores no partial data', async () => {
    const at = home();
    const { folder } = smallDisk(at.folder);
    const { env } = await serve((reply) => reply.end('7'));
    writeFileSync(join(folder, 'full'), Buffer.alloc(60 * 1024));
    writeFileSync(join(folder, 'fuller'), Buffer.alloc(4096), { flag: 'a' });
    const run = (line: string, { env = {}, stdin = '' } = {}) =>
      at.cb(line, { env: { ...env, ...foldersOn(folder) }, stdin });
    const count = await run('orders count --period today', { env });
    expect(count).toEqual({ code: 0, out: '7\n', err: '' });
    const login = await run('login --with-key --no-check', { stdin: 'API-TEST' });
    expect(login).toMatchObject({ code: 3, out: '', err: expect.stringContaining('ENOSPC') });
    expect((await run('profiles list -o json')).out).not.toContain('default');
    const sandbox = await run('--sandbox orders count');
    expect(sandbox).toMatchObject({ code: 3, out: '' });
    expect(sandbox.err).toMatch(/cannot store its data.*(SQLITE_\w+|ENOSPC)/);
  });

  test.each([
    ['orders list --since-last sheet', 2, /incremental exports, .*, can't be written/],
    ['orders list --period today --out disk/a.csv', 2, /--out .*a\.csv can't be written/],
    ['orders list --period today --out disk/a.csv --resume', 2, /--out .*a\.csv can't be written/],
    ['orders schema --out disk/a.xml', 2, /--out .*a\.xml can't be written/],
    ['quickstats report --out disk/a.html', 2, /--out .*a\.html can't be written/],
    ['tickets create --from in.csv --journal disk/j --yes', 3, /Cannot lock .*j\.lock .*EROFS/],
    ['tickets create --from in.csv --results disk/r.csv --yes', 2, /r\.csv can't be written/],
    ['login --with-key --no-check', 3, /Cannot use/],
    ['--sandbox orders count', 3, /Cannot use/],
    ['completion install bash', 2, /can't be written/],
  ])(
    'reports a file that cannot be written before sending anything: %s',
    async (line, code, says) => {
      const at = home();
      const disk = smallDisk(at.folder);
      disk.close();
      const service = await serve((reply) => reply.end('7'));
      const row = 'receipt,type,reason,refundType\nA1,rfnd,ticket.type.refund.2,FULL\n';
      writeFileSync(join(at.folder, 'in.csv'), row);
      const env = { ...service.env, ...foldersOn(disk.folder) };
      const ran = await at.cb(`${line} --max-wait 0`, { env, stdin: 'API-TEST' });
      expectExit(ran, code, says, '');
      expect(ran.err.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
      expect(service.asked).toEqual([]);
    },
  );

  test("does not fail because data for later runs can't be stored", async () => {
    const at = home();
    const disk = smallDisk(at.folder);
    disk.close();
    const service = await serve((reply) => reply.end('7'));
    const env = { ...service.env, ...foldersOn(disk.folder) };
    const ran = await at.cb('orders count --period today', { env });
    expect(ran).toEqual({ code: 0, out: '7\n', err: '' });
    const doctor = await at.cb('doctor', { env: foldersOn(disk.folder) });
    expect(doctor).toMatchObject({ code: 0, err: '' });
    expect(doctor.out.match(/can't be written/g)).toHaveLength(3);
  });

  // Room for the lock file, and for the beginning of the journal or of the results.
  test.each([
    [56, 'in.csv --journal disk/journal', 'The journal', 'disk/journal'],
    [40, 'disk/in.csv', 'The results file', 'disk/in.csv.cb-journal'],
  ])(
    'stops an import on a disk with %i kB of other data, says what was sent, and continues in the next run: %s',
    async (kilobytes, files, what, journal) => {
      const home = emptyHome();
      const { env, writes } = await serveSandbox();
      const { folder, grow } = smallDisk(home);
      const rows = Array.from({ length: 100 }, (_, i) => `PARCEL01,T${i}\n`);
      const input = join(home, files.split(' ')[0] ?? '');
      writeFileSync(input, ['receipt,tracking\n', ...rows].join(''));
      writeFileSync(join(folder, 'full'), Buffer.alloc(kilobytes * 1024));
      const line = `ship notice import ${files} --carrier USPS --date today --yes`;
      const run = () => cb(line.split(' '), { home, env }).ended();
      const stopped = await run();
      const sent = writes().length;
      const file = what === 'The journal' ? join(home, journal) : `${input}.results.csv`;
      for (const says of [
        `${what} ${file} can't be written (ENOSPC: the disk is full).`,
        `${sent} of 100 rows were sent.`,
        'Free some space, and run the same command again (without --restart): it continues with the rows that are left, and sends no row twice.',
      ]) {
        expectExit(stopped, 8, says);
      }
      expect(stopped.err).not.toContain('--out');
      const known = readFileSync(join(home, journal), 'utf8').match(/"state":"sending".*\n/g) ?? [];
      expect(known.length).toBeGreaterThanOrEqual(sent);
      expect(sent).toBeGreaterThan(0);
      expect(sent).toBeLessThan(100);
      grow();
      expect(await run()).toMatchObject({ code: 0 });
      expect(writes()).toHaveLength(100);
    },
  );
});
