/** Locks on files, held by real processes that are killed, and by processes that can't be looked up. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { build } from 'esbuild';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { acquireLock, type LockOptions } from '../../src/storage/lock.ts';
import { readChain, takeLock } from '../../src/storage/lock-file.ts';

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
  const folder = mkdtempSync(join(process.env.CB_TEST_RUN ?? tmpdir(), 'cb-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'journal');
  writeFileSync(file, '');
  return { folder, file };
}

interface Holder {
  readonly child: ChildProcess;
  /** The next line of output. */
  line(): Promise<string>;
  kill(): Promise<void>;
}

function start(file: string, mode: string, before: readonly string[] = []): Holder {
  const [command = '', ...args] = [...before, process.execPath, program, file, mode];
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const ended = new Promise<void>((done) => child.on('close', () => done()));
  const kill = () => {
    child.kill('SIGKILL');
    return ended;
  };
  onTestFinished(kill);
  return { child, kill, line: async () => (await lines.next()).value ?? '' };
}

async function startHolder(file: string): Promise<Holder> {
  const holder = start(file, 'hold');
  expect(await holder.line()).toBe('held');
  return holder;
}

async function killedHolder(file: string): Promise<void> {
  await (await startHolder(file)).kill();
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

/** This process. */
const here: Pick<LockOptions, 'processes' | 'patience'> = {
  processes: { own: process.pid, isRunning },
  patience: 0,
};

async function acquireAndRelease(file: string, options: LockOptions = here) {
  const lock = await acquireLock(file, options);
  lock.assertHeld();
  lock.release();
}

/** The error of a lock that can't be acquired. */
function refusal(file: string, problem: string, options: LockOptions = here, more: object = {}) {
  return expect(acquireLock(file, options)).rejects.toMatchObject({ problem, ...more });
}

/** Sleeping takes no time; `during` is called instead. */
function skippedWaits(during: (now: number) => void = () => undefined) {
  let now = 0;
  const sleep = async (milliseconds: number) => {
    now += milliseconds;
    during(now);
  };
  return { now: () => now, sleep };
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

test('lets one of 24 processes, killed at random, hold a lock at a time', async () => {
  const { folder, file } = fileToLock();
  writeFileSync(`${file}.sections`, '');
  let sections = 0;
  const violations: string[] = [];
  const running: Holder[] = [];
  const begin = () => {
    const holder = start(file, 'race');
    createInterface(holder.child.stdout as NodeJS.ReadableStream).on('line', (line) => {
      if (line === 'done') sections += 1;
      else violations.push(line);
    });
    running.push(holder);
  };
  for (let i = 0; i < 24; i++) begin();
  // Each kill follows finished sections, so that processes are also killed in the middle of work.
  for (let kills = 0; kills < 30; kills++) {
    const enough = sections + 3;
    while (sections < enough && violations.length === 0) await setTimeout(5);
    const [victim] = running.splice(Math.floor(Math.random() * running.length), 1);
    await victim?.kill();
    if (kills < 29) begin();
  }
  await Promise.all(running.map((holder) => holder.kill()));
  expect(violations).toEqual([]);
  expect(statSync(`${file}.sections`).size).toBeGreaterThanOrEqual(90);
  // The locks of killed processes are taken over and their files removed.
  await acquireAndRelease(file);
  expect(readdirSync(folder).filter((name) => name.startsWith('journal.lock'))).toEqual([]);
});

test('locks a file through a symbolic link, or a link to a link', async () => {
  const { file } = fileToLock();
  symlinkSync(file, `${file}.first`);
  symlinkSync('journal.first', `${file}.link`);
  const lock = await acquireLock(file, here);
  for (const link of [`${file}.first`, `${file}.link`]) {
    await refusal(link, 'held');
  }
  lock.release();
  await acquireAndRelease(`${file}.link`);
});

test('locks a file in a linked folder, and one that does not exist yet', async () => {
  const { folder, file } = fileToLock();
  mkdirSync(join(folder, 'real'));
  symlinkSync('real', join(folder, 'linked'));
  symlinkSync('real/new', join(folder, 'new'));
  const lock = await acquireLock(join(folder, 'linked/new'), here);
  for (const name of ['real/new', 'new']) {
    await refusal(join(folder, name), 'held');
  }
  await acquireAndRelease(file);
  lock.release();
});

test('refuses a file with several hard links, and leaves no lock', async () => {
  const { folder, file } = fileToLock();
  linkSync(file, `${file}.other`);
  for (const name of [file, `${file}.other`]) {
    await refusal(name, 'linked', { ...here, singleName: true });
  }
  expect(readdirSync(folder).sort()).toEqual(['journal', 'journal.other']);
});

test('reports the holder of a lock without the arguments of its command', async () => {
  const { file } = fileToLock();
  const holder = await startHolder(file);
  await refusal(file, 'held', here, { holder: { pid: holder.child.pid } });
  const fields = Object.keys(JSON.parse(readFileSync(`${file}.lock`, 'utf8')));
  expect(fields.sort().join(' ')).toBe('boot host namespace nonce pid since start');
});

test('takes over the lock of a killed process at once, even as a zombie', async () => {
  const { file } = fileToLock();
  await killedHolder(file);
  await acquireAndRelease(file, { ...here, waits: skippedWaits() });
  // The shell does not wait for its child, which stays as a zombie.
  const parent = start(file, 'hold', ['bash', '-c', `"$0" "$@" & echo $!; exec sleep 60`]);
  const child = Number(await parent.line());
  expect(await parent.line()).toBe('held');
  process.kill(child, 'SIGKILL');
  await expect.poll(() => readFileSync(`/proc/${child}/stat`, 'utf8')).toMatch(/\) Z /);
  await acquireAndRelease(file, { ...here, waits: skippedWaits() });
});

test('takes over a lock whose process ID was reused', async () => {
  const { file } = fileToLock();
  await killedHolder(file);
  const record = JSON.parse(readFileSync(`${file}.lock`, 'utf8'));
  writeFileSync(`${file}.lock`, JSON.stringify({ ...record, pid: process.pid, start: '1' }));
  await acquireAndRelease(file);
});

test('never takes over the lock of a running process, even without heartbeats', async () => {
  const { file } = fileToLock();
  const holder = await startHolder(file);
  holder.child.kill('SIGSTOP');
  const waits = skippedWaits();
  await refusal(file, 'held', { ...here, patience: 40_000, waits });
  expect(waits.now()).toBeGreaterThanOrEqual(40_000);
});

test('gives up on a lock of another host when its heartbeat changes', async () => {
  const { file } = fileToLock();
  const lockFile = foreignLock(file);
  const waits = skippedWaits((now) => utimesSync(lockFile, now / 1000, now / 1000));
  await refusal(file, 'held', { ...here, waits }, { holder: { host: 'elsewhere' } });
  expect(waits.now()).toBeLessThan(5000);
});

test.each([
  ['another host', {}],
  ['a file that is damaged', { nonce: '../../x' }],
])('takes over a lock of %s after 30 seconds without a heartbeat', async (_, changes) => {
  const { folder, file } = fileToLock();
  foreignLock(file, changes);
  const waits = skippedWaits();
  const onWatch = vi.fn();
  await acquireAndRelease(file, { ...here, waits, onWatch });
  expect(waits.now()).toBeGreaterThanOrEqual(30_000);
  expect(onWatch).toHaveBeenCalledOnce();
  expect(readdirSync(folder)).toEqual(['journal']);
});

test('ignores time in which the waiting process itself was suspended', async () => {
  const { file } = fileToLock();
  const lockFile = foreignLock(file);
  let looks = 0;
  const waits = {
    now: () => looks * 3_600_000,
    sleep: async () => {
      looks += 1;
      if (looks === 20) utimesSync(lockFile, 1, 1);
    },
  };
  await refusal(file, 'held', { ...here, waits });
});

test('detects a lost lock after suspension, and does not remove the new one', async () => {
  const { file } = fileToLock();
  const lock = await acquireLock(file, here);
  lock.assertHeld();
  // As left by another host after a takeover.
  rmSync(`${file}.lock`);
  const lockFile = foreignLock(file);
  expect(() => lock.assertHeld()).toThrow(expect.objectContaining({ problem: 'lost' }));
  lock.release();
  expect(readFileSync(lockFile, 'utf8')).toContain('elsewhere');
});

test('detects a takeover in progress after suspension', async () => {
  const { file } = fileToLock();
  const lock = await acquireLock(file, here);
  const { nonce } = JSON.parse(readFileSync(`${file}.lock`, 'utf8'));
  writeFileSync(`${file}.lock.${nonce}`, readFileSync(foreignLock(`${file}2`)));
  expect(() => lock.assertHeld()).toThrow(expect.objectContaining({ problem: 'lost' }));
});

test('takes over an interrupted takeover', async () => {
  const { folder, file } = fileToLock();
  await killedHolder(file);
  const dead = JSON.parse(readFileSync(`${file}.lock`, 'utf8'));
  writeFileSync(`${file}.lock.${dead.nonce}`, JSON.stringify({ ...dead, nonce: 'a'.repeat(16) }));
  writeFileSync(`${file}.lock.${'b'.repeat(16)}`, '');
  // A process that was killed before it created its lock file.
  writeFileSync(`${file}.lock.${'c'.repeat(16)}.new`, '{"nonce":');
  const lock = await acquireLock(file, here);
  expect(readdirSync(folder).sort()).toEqual(['journal', 'journal.lock']);
  lock.assertHeld();
  lock.release();
});

test('respects the claim of a running process', async () => {
  const { file } = fileToLock();
  const holder = await startHolder(file);
  const alive = JSON.parse(readFileSync(`${file}.lock`, 'utf8'));
  const dead = { ...alive, nonce: 'a'.repeat(16), start: '1' };
  writeFileSync(`${file}.lock`, JSON.stringify(dead));
  writeFileSync(`${file}.lock.${dead.nonce}`, JSON.stringify(alive));
  await refusal(file, 'held', here, { holder: { pid: holder.child.pid } });
});

const hasNamespaces =
  spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0;

test.skipIf(!hasNamespaces)(
  'respects a lock in another PID namespace while its heartbeat changes (needs unshare)',
  async () => {
    const { file } = fileToLock();
    const unshare = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];
    const holder = start(file, 'hold', unshare);
    expect(await holder.line()).toBe('held');
    await refusal(file, 'held');
    await holder.kill();
    await acquireAndRelease(file, { ...here, waits: skippedWaits() });
    // In reverse: this process as seen from there.
    const own = await acquireLock(file, here);
    expect(await start(file, 'once', unshare).line()).toMatch(/^held \{/);
    own.release();
  },
);

test('names a lock file that cannot be created', async () => {
  const { folder, file } = fileToLock();
  mkdirSync(join(folder, 'journal.lock'));
  await refusal(file, 'unusable', here, { lockFile: `${file}.lock` });
  await refusal(join(folder, 'none/journal'), 'unusable', here, { cause: { code: 'ENOENT' } });
});

test('does not replace a file that is not a lock file', async () => {
  const { file } = fileToLock();
  writeFileSync(`${file}.lock`, '# of another program');
  await refusal(file, 'unusable', { ...here, waits: skippedWaits() });
  expect(readFileSync(`${file}.lock`, 'utf8')).toBe('# of another program');
});

test('locks a file with the longest possible name', async () => {
  const { folder } = fileToLock();
  const file = join(folder, 'ü'.repeat(127));
  writeFileSync(file, '');
  const lock = await acquireLock(file, here);
  await refusal(file, 'held');
  lock.release();
  expect(readdirSync(folder)).toHaveLength(2);
});

test('lets only one of two processes take over a lock', () => {
  const { folder, file } = fileToLock();
  const lockFile = foreignLock(file);
  const content = { host: 'here', pid: process.pid, since: '2026-03-18T12:03:00.000Z' };
  const found = readChain(lockFile);
  expect(takeLock(lockFile, found, content)).toBeDefined();
  const before = readFileSync(lockFile, 'utf8');
  // The second process read the lock before the takeover and acts only now.
  expect(takeLock(lockFile, found, content)).toBeUndefined();
  expect(readFileSync(lockFile, 'utf8')).toBe(before);
  expect(readdirSync(folder).sort()).toEqual(['journal', 'journal.lock']);
});
