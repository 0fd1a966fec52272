/** Locks on files, held by real processes that are killed, and by processes that can't be looked up. */
import { spawn, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { build } from 'esbuild';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { acquireLock, type LockOptions } from '../../src/storage/lock.ts';
import { identityOf, livenessOf, processesFrom } from '../../src/storage/lock-owner.ts';
import { emptyHome } from '../support/binary.ts';
import { tier } from '../support/tier.ts';

let program = '';

beforeAll(async () => {
  const folder = mkdtempSync(join(process.env.CB_TEST_RUN ?? tmpdir(), 'cb-lock-program-'));
  program = join(folder, 'lock-program.mjs');
  await build({
    entryPoints: ['test/support/lock-program.ts'],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
  });
});

/** A file to lock, in a folder of its own. */
function fileToLock(): { folder: string; file: string } {
  const folder = emptyHome();
  const file = join(folder, 'journal');
  writeFileSync(file, '');
  return { folder, file };
}

type Holder = ReturnType<typeof start>;

function start(file: string, mode: string, before: readonly string[] = []) {
  const [command = '', ...args] = [...before, process.execPath, program, file, mode];
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const ended = new Promise<void>((done) => child.on('close', () => done()));
  const kill = () => {
    child.kill('SIGKILL');
    return ended;
  };
  onTestFinished(kill);
  /** The next line of output. */
  const line = async (): Promise<string> => (await lines.next()).value ?? '';
  return { child, kill, line };
}

async function startHolder(file: string): Promise<Holder> {
  const holder = start(file, 'hold');
  expect(await holder.line()).toBe('held');
  return holder;
}

async function killedHolder(file: string): Promise<void> {
  await (await startHolder(file)).kill();
}

/** This process. */
const here = { processes: processesFrom(process), patience: 0 };

async function acquireAndRelease(file: string, options: LockOptions = here) {
  const lock = await acquireLock(file, options);
  lock.assertHeld();
  lock.release();
}

/** The error of a lock that can't be acquired. */
function refusal(file: string, problem: string, options: LockOptions = here, more: object = {}) {
  return expect(acquireLock(file, options)).rejects.toMatchObject({ problem, ...more });
}

/** A lock file of a process on another host, or as changed. */
function foreignLock(file: string, changes: object = {}): string {
  const record = { nonce: '0123456789abcdef', host: 'elsewhere', boot: 'another', pid: 4711 };
  const since = '2026-03-18T12:03:00.000Z';
  const lockFile = `${file}.lock`;
  const command = 'ship notice import';
  writeFileSync(lockFile, JSON.stringify({ ...record, command, since, ...changes }));
  return lockFile;
}

const many = tier({ processes: 6, kills: 8 }, { processes: 24, kills: 30 });

test('lets one of many processes, killed at random, hold a lock at a time', async () => {
  const { folder, file } = fileToLock();
  writeFileSync(`${file}.sections`, '');
  let sections = 0;
  const violations: string[] = [];
  const running: Holder[] = [];
  const begin = () => {
    const holder = start(file, 'race');
    createInterface(holder.child.stdout).on('line', (line) => {
      if (line === 'done') sections += 1;
      else violations.push(line);
    });
    running.push(holder);
  };
  for (let i = 0; i < many.processes; i++) begin();
  // Each kill follows finished sections, so that processes are also killed in the middle of work.
  for (let kills = 1; kills <= many.kills; kills++) {
    const enough = sections + 3;
    while (sections < enough && violations.length === 0) await setTimeout(5);
    const [victim] = running.splice(Math.floor(Math.random() * running.length), 1);
    await victim?.kill();
    if (kills < many.kills) begin();
  }
  await Promise.all(running.map((holder) => holder.kill()));
  expect(violations).toEqual([]);
  expect(statSync(`${file}.sections`).size).toBeGreaterThanOrEqual(3 * many.kills);
  // The locks of killed processes are taken over and their files removed.
  await acquireAndRelease(file);
  expect(readdirSync(folder).filter((name) => name.startsWith('journal.lock'))).toEqual([]);
});

test('locks a file under every name: links, a link to a link, a linked folder, and before it exists', async () => {
  const { folder, file } = fileToLock();
  symlinkSync(file, `${file}.first`);
  symlinkSync('journal.first', `${file}.link`);
  mkdirSync(join(folder, 'real'));
  symlinkSync('real', join(folder, 'linked'));
  symlinkSync('real/new', join(folder, 'new'));
  const lock = await acquireLock(file, here);
  for (const link of [`${file}.first`, `${file}.link`]) await refusal(link, 'held');
  const other = await acquireLock(join(folder, 'linked/new'), here);
  for (const name of ['real/new', 'new']) await refusal(join(folder, name), 'held');
  lock.release();
  await acquireAndRelease(`${file}.link`);
  other.release();
});

test('reports the holder of a lock without the arguments of its command', async () => {
  const { file } = fileToLock();
  const holder = await startHolder(file);
  const message = expect.stringContaining(`Another cb process (PID ${holder.child.pid} on host `);
  // Also while it is suspended.
  holder.child.kill('SIGSTOP');
  await refusal(file, 'held', { ...here, patience: 300 }, { message });
  const fields = Object.keys(JSON.parse(readFileSync(`${file}.lock`, 'utf8')));
  expect(fields.sort().join(' ')).toMatch(/^boot host (machine )?namespace nonce pid since start$/);
});

test('takes over the lock of a killed process at once, even as a zombie', async () => {
  const { file } = fileToLock();
  await killedHolder(file);
  await acquireAndRelease(file);
  // The shell does not wait for its child, which stays as a zombie.
  const parent = start(file, 'hold', ['bash', '-c', `"$0" "$@" & echo $!; exec sleep 60`]);
  const child = Number(await parent.line());
  expect(await parent.line()).toBe('held');
  process.kill(child, 'SIGKILL');
  await expect.poll(() => readFileSync(`/proc/${child}/stat`, 'utf8')).toMatch(/\) Z /);
  await acquireAndRelease(file);
});

/** The lock file of a process of this machine that has ended, or as changed. */
function deadLock(file: string, changes: object = {}): string {
  const { pid } = spawnSync('true');
  const identity = identityOf({ ...here.processes, own: pid });
  const lockFile = foreignLock(file, { command: undefined, ...identity, ...changes });
  return readFileSync(lockFile, 'utf8');
}

test('takes over a lock whose process ID was reused', async () => {
  const { file } = fileToLock();
  deadLock(file, { pid: process.pid, start: '1' });
  await acquireAndRelease(file);
});

const holder = 'PID 4711 on host elsewhere, `cb ship notice import …`, since 2026-03-18 12:03';

test.each([
  ['another host', {}, holder],
  ['another machine of the same name', { host: hostname(), machine: 'other' }, 'PID 4711'],
  ['a file that is damaged', { pid: 'x' }, 'Another cb process may still be'],
])('refuses the lock of %s, and names the file to delete', async (_, changes, says) => {
  const { folder, file } = fileToLock();
  const lockFile = foreignLock(file, changes);
  const hint = expect.stringContaining(`If no cb process is using the file, delete ${lockFile}.`);
  // At once, however long it would wait for a process that can be looked up.
  const patient = { ...here, patience: 3_600_000 };
  await refusal(file, 'unclear', patient, { hint, message: expect.stringContaining(says) });
  expect(readdirSync(folder).sort()).toEqual(['journal', 'journal.lock']);
  rmSync(lockFile);
  await acquireAndRelease(file);
});

test('waits five seconds for the content of an empty lock file, as one is after a power failure', async () => {
  const { file } = fileToLock();
  writeFileSync(`${file}.lock`, '');
  const waiting = acquireAndRelease(file);
  await setTimeout(100);
  await rm(`${file}.lock`);
  await waiting;
  writeFileSync(`${file}.lock`, '');
  await refusal(file, 'unclear', here, { hint: expect.stringContaining('delete') });
}, 20_000);

test.skipIf(identityOf(here.processes).machine === undefined)(
  'takes over a lock from before this machine was restarted',
  async () => {
    const { file } = fileToLock();
    const { host, machine } = identityOf(here.processes);
    foreignLock(file, { host, machine, pid: process.pid });
    await acquireAndRelease(file);
  },
);

test('notices that its lock file was deleted, and does not remove the new one', async () => {
  const { file } = fileToLock();
  const lock = await acquireLock(file, here);
  lock.assertHeld();
  rmSync(`${file}.lock`);
  expect(() => lock.assertHeld()).toThrow(expect.objectContaining({ problem: 'lost' }));
  const lockFile = foreignLock(file);
  expect(() => lock.assertHeld()).toThrow(expect.objectContaining({ problem: 'lost' }));
  lock.release();
  expect(readFileSync(lockFile, 'utf8')).toContain('elsewhere');
});

test('takes over from a killed process once, when several processes see it at the same time', async () => {
  const { folder, file } = fileToLock();
  for (let round = 0; round < tier(1, 4); round++) {
    await killedHolder(file);
    const all = Array.from({ length: many.processes }, () => start(file, 'hold'));
    const said = await Promise.all(all.map((one) => one.line()));
    expect(said.filter((line) => line === 'held')).toHaveLength(1);
    expect(said.filter((line) => line.startsWith('held {'))).toHaveLength(all.length - 1);
    await Promise.all(all.map((one) => one.kill()));
  }
  await acquireAndRelease(file);
  expect(readdirSync(folder)).toEqual(['journal']);
});

test('gives way to a running process that wants to take over too, for five seconds', async () => {
  const { file } = fileToLock();
  const other = await startHolder(`${file}2`);
  deadLock(file);
  const draft = `${file}.lock.${other.child.pid}-0123abcd`;
  writeFileSync(draft, readFileSync(`${file}2.lock`));
  await refusal(file, 'held');
  await other.kill();
  await acquireAndRelease(file);
});

test('removes what processes left that were killed while they took a lock', async () => {
  const { folder, file } = fileToLock();
  const dead = deadLock(file);
  writeFileSync(`${file}.lock.${JSON.parse(dead).pid}-0123abcd`, dead);
  // Killed before it wrote its record.
  writeFileSync(`${file}.lock.${JSON.parse(dead).pid}-0123abce`, '');
  const lock = await acquireLock(file, here);
  expect(readdirSync(folder).sort()).toEqual(['journal', 'journal.lock']);
  lock.assertHeld();
  lock.release();
});

const hasNamespaces =
  spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0;

test.skipIf(!hasNamespaces)(
  'refuses a lock in another PID namespace, also of a process that was killed (needs unshare)',
  async () => {
    const { file } = fileToLock();
    const unshare = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];
    const holder = start(file, 'hold', unshare);
    expect(await holder.line()).toBe('held');
    await refusal(file, 'unclear');
    await holder.kill();
    await refusal(file, 'unclear');
    rmSync(`${file}.lock`);
    // In reverse: this process as seen from there.
    const own = await acquireLock(file, here);
    expect(await start(file, 'once', unshare).line()).toMatch(/^unclear \{/);
    own.release();
  },
);

test('names a lock file that cannot be created, and does not replace a file that is not a lock', async () => {
  const { folder, file } = fileToLock();
  await refusal(join(folder, 'none/journal'), 'unusable', here, { cause: { code: 'ENOENT' } });
  mkdirSync(`${file}.lock`);
  await refusal(file, 'unusable', here, { message: expect.stringContaining(`${file}.lock`) });
  rmdirSync(`${file}.lock`);
  writeFileSync(`${file}.lock`, '# of another program');
  await refusal(file, 'unusable');
  expect(readFileSync(`${file}.lock`, 'utf8')).toBe('# of another program');
});

test('takes nothing from a /proc that shows the processes of another namespace', () => {
  // In a container that sees the /proc of its host, /proc/self has another ID than the process itself.
  const inContainer = { own: process.pid + 100_000, isRunning: () => true };
  expect(identityOf(inContainer).start).toBeUndefined();
  // In the other namespace, another process has this ID, which began at another time.
  const owner = { ...identityOf(inContainer), pid: process.pid, start: '1' };
  expect(livenessOf(owner, inContainer)).toBe('running');
});
