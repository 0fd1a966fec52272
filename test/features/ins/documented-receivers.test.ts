/** The receivers of docs/receivers.md, run as they stand there. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventText } from '../../../src/features/ins/event-text.ts';
import { eventTypeNames } from '../../../src/features/ins/event-types.ts';
import { encryptNotification } from '../../../src/features/ins/notification.ts';
import { eventOf } from '../../../src/features/ins/sample-event.ts';
import { phpCheck, python, pythonCheck, succeeds } from '../../support/receivers.ts';

const page = readFileSync('docs/receivers.md', 'utf8');
const secret = 'SECRET1KEY2026AB';
const now = new Date('2026-03-18T18:30:00Z');

interface Documented {
  readonly language: string;
  readonly file: string;
  readonly isInstalled: boolean;
  command(port: number): readonly [string, ...string[]];
}

const programs: readonly Documented[] = [
  {
    language: 'js',
    file: 'ins.mjs',
    isInstalled: true,
    command: () => [process.execPath, 'ins.mjs'],
  },
  {
    language: 'php',
    file: 'ins.php',
    isInstalled: succeeds(phpCheck),
    command: (port) => ['php', '-S', `127.0.0.1:${port}`, 'ins.php'],
  },
  {
    language: 'python',
    file: 'ins.py',
    isInstalled: succeeds(pythonCheck),
    command: () => [python, 'ins.py'],
  },
];

function codeIn(language: string): string {
  const blocks = [...page.matchAll(/^```(\w+)$\n([\s\S]*?)^```$/gm)];
  const [code] = blocks.filter(([, name]) => name === language).map(([, , text]) => text);
  if (code === undefined) throw new Error(`The page has no ${language}.`);
  return code;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address ? address.port : 0;
}

/** Starts a receiver in an empty folder, and returns how to post to it and what it has stored. */
async function start({ language, file, command }: Documented) {
  const folder = mkdtempSync(join(process.env.CB_TEST_RUN ?? tmpdir(), 'cb-receiver-'));
  writeFileSync(join(folder, file), codeIn(language));
  const port = await freePort();
  const [program, ...args] = command(port);
  const env = { PATH: process.env.PATH, PORT: String(port), CB_INS_SECRET: secret };
  const child: ChildProcess = spawn(program, args, { cwd: folder, env, stdio: 'ignore' });
  const ended = new Promise((done) => child.once('exit', done));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const post = async (body: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/ins`, { method: 'POST', body });
    return { status: response.status, text: await response.text() };
  };
  // Until the test times out: a busy machine starts programs late.
  while (child.exitCode === null) {
    const isUp = await post('{}').then(
      () => true,
      () => false,
    );
    if (isUp) break;
    await sleep(20);
  }
  return { post, stored: () => readFileSync(join(folder, 'events.ndjson'), 'utf8') };
}

describe.each(programs)('the receiver in $language', (program) => {
  const { isInstalled, language } = program;
  const title = (text: string) => (isInstalled ? text : `${text} (${language} is not installed)`);

  test.skipIf(!isInstalled)(title('stores events of all types as they were sent'), async () => {
    const { post, stored } = await start(program);
    const events = eventTypeNames.map((type) => eventText(eventOf(type, { now })));
    for (const event of events) {
      expect(await post(encryptNotification(event, secret))).toEqual({ status: 200, text: '' });
    }
    expect(stored()).toBe(events.map((event) => `${event}\n`).join(''));
  });

  test.skipIf(!isInstalled)(title('answers all failures alike'), async () => {
    const { post } = await start(program);
    const { notification, iv } = JSON.parse(encryptNotification('{"receipt":"A"}', secret));
    const fixed = { iv: Buffer.from('0123456789abcdef') };
    const bodies = [
      '',
      'notification=a&iv=b',
      '{}',
      JSON.stringify({ notification, iv: 'AAAA' }),
      JSON.stringify({ notification: 'AAAA', iv }),
      JSON.stringify({ notification: [], iv: {} }),
      encryptNotification('{"receipt":"A"}', 'ANOTHER', fixed),
      encryptNotification('no JSON', secret),
    ];
    for (const body of bodies) expect(await post(body)).toEqual({ status: 400, text: '' });
  });
});
