/** stdout as the binary sees it: written to as it is, or through Node's stream where one has to wait. */
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { openScreen } from '../../src/cli/screen.ts';

/** Node's stream in place of which the text went elsewhere. */
function refuse(): NodeJS.WriteStream {
  throw new Error('no stream is needed');
}

function openFile() {
  const folder = mkdtempSync(join(tmpdir(), 'cb-screen-'));
  const path = join(folder, 'out');
  const fd = openSync(path, 'w+');
  onTestFinished(() => {
    closeSync(fd);
    rmSync(folder, { recursive: true, force: true });
  });
  return { fd, path };
}

/** Runs a program that has a `screen` on its stdout, which is a pipe; nobody reads before it says so. */
async function piped(program: string, { slow = false } = {}) {
  const file = new URL('../../src/cli/screen.ts', import.meta.url).href;
  const code = `import { openScreen } from ${JSON.stringify(file)};
    const open = () => { console.error('stream'); return process.stdout; };
    const screen = openScreen(1, open); ${program}`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', code];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = text(child.stderr);
  if (slow) {
    await new Promise<void>((done) => {
      child.stderr.on('data', (chunk) => String(chunk).includes('alive') && done());
    });
  }
  const out = await text(child.stdout);
  return { out, said: (await said).trim() };
}

test('a file takes everything, and is no terminal', () => {
  const { fd, path } = openFile();
  const screen = openScreen(fd, refuse);
  const long = 'ü'.repeat(100_000);
  const errors: unknown[] = [];
  screen.write(long, (error) => errors.push(error));
  screen.write('end');
  expect({ isTTY: screen.isTTY, columns: screen.columns }).toEqual({
    isTTY: false,
    columns: undefined,
  });
  expect(readFileSync(path, 'utf8')).toBe(`${long}end`);
  expect(errors).toEqual([undefined]);
});

test('a writer is told when nothing more can be written', () => {
  const { path } = openFile();
  const fd = openSync(path, 'r');
  onTestFinished(() => closeSync(fd));
  const errors: unknown[] = [];
  openScreen(fd, refuse).write('text', (error) => errors.push(error));
  expect(errors).toMatchObject([{ code: 'EBADF' }]);
});

test('what is neither file nor pipe is written to by its stream', () => {
  const fd = openSync('/dev/null', 'w');
  onTestFinished(() => closeSync(fd));
  let written = '';
  const stream = new Writable({
    write(chunk, _, done) {
      written += chunk;
      done();
    },
  });
  const terminal = Object.assign(stream, { isTTY: true, columns: 132 });
  const screen = openScreen(fd, () => terminal as unknown as NodeJS.WriteStream);
  screen.write('text');
  expect({ written, isTTY: screen.isTTY, columns: screen.columns }).toEqual({
    written: 'text',
    isTTY: true,
    columns: 132,
  });
});

test('a short text goes into a pipe without a stream', async () => {
  expect(await piped("screen.write('a'); screen.write('b');")).toEqual({ out: 'ab', said: '' });
});

test('a long text goes into a pipe in order, and holds nothing up while nobody reads', async () => {
  const program = `screen.write('a'); screen.write('b'.repeat(1e6)); screen.write('c');
    setTimeout(() => console.error('alive'), 1);`;
  const { out, said } = await piped(program, { slow: true });
  expect(out).toBe(`a${'b'.repeat(1e6)}c`);
  expect(said).toBe('stream\nalive');
});
