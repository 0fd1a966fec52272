/** Receivers in other languages decrypt what cb encrypts: those of docs/receivers.md as they stand there, and more. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventText } from '../../../src/features/ins/event-text.ts';
import { eventTypeNames } from '../../../src/features/ins/event-types.ts';
import { encryptNotification } from '../../../src/features/ins/notification.ts';
import { eventOf } from '../../../src/features/ins/sample-event.ts';
import { eventVersions } from '../../../src/operations/notification-versions.ts';
import { listen } from '../../support/server.ts';
import { isLong, tier } from '../../support/tier.ts';

const page = readFileSync('docs/receivers.md', 'utf8');
const secret = 'SECRET1KEY2026AB';
const now = new Date('2026-03-18T18:30:00Z');

/** Fixed, because one in 256 wrong keys leaves a padding that looks right. */
const iv = Buffer.from('0123456789abcdef');

/** An event of each type and version, and hostile names. */
const names = fc.sample(fc.string({ unit: 'grapheme', maxLength: 60 }), { numRuns: 100, seed: 18 });
const events = [
  ...eventTypeNames.flatMap((type) =>
    eventVersions.map((version) => eventText(eventOf(type, { version, now }))),
  ),
  ...['李小龙', 'Ω🎉', 'a\nb\0c\u2028', '"}],{', ...names].map((fullName) =>
    JSON.stringify({ transactionType: 'SALE', customer: { billing: { fullName } } }),
  ),
];

type Program = readonly [command: string, ...args: string[]];

function succeeds([command, ...args]: Program): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/** Debian's packages belong to its own Python; another one may come first in PATH. */
const python = succeeds(['/usr/bin/python3', '-c', 'import cryptography'])
  ? '/usr/bin/python3'
  : 'python3';

interface Documented {
  readonly language: string;
  readonly file: string;
  /** Succeeds if everything that the receiver needs is installed. */
  readonly check: Program;
  command(port: number): Program;
}

const documented: readonly Documented[] = [
  {
    ...{ language: 'js', file: 'ins.mjs', check: [process.execPath, '--version'] },
    command: () => [process.execPath, 'ins.mjs'],
  },
  {
    ...{ language: 'php', file: 'ins.php' },
    check: ['php', '-r', 'exit(function_exists("openssl_decrypt") ? 0 : 1);'],
    command: (port) => ['php', '-S', `127.0.0.1:${port}`, 'ins.php'],
  },
  {
    ...{ language: 'python', file: 'ins.py', check: [python, '-c', 'import cryptography'] },
    command: () => [python, 'ins.py'],
  },
];

function codeIn(language: string): string {
  const blocks = [...page.matchAll(/^```(\w+)$\n([\s\S]*?)^```$/gm)];
  const [code] = blocks.filter(([, name]) => name === language).map(([, , text]) => text);
  if (code === undefined) throw new Error(`The page has no ${language}.`);
  return code;
}

/** Starts a receiver in an empty folder, and returns how to post to it and what it has stored. */
async function start({ language, file, command }: Documented) {
  const folder = mkdtempSync(join(process.env.CB_TEST_RUN ?? tmpdir(), 'cb-receiver-'));
  writeFileSync(join(folder, file), codeIn(language));
  const probe = createServer();
  const port = await listen(probe);
  await new Promise((done) => probe.close(done));
  const [program, ...args] = command(port);
  const env = { PATH: process.env.PATH, PORT: String(port), CB_INS_SECRET: secret };
  const child = spawn(program, args, { cwd: folder, env, stdio: 'ignore' });
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
  while (child.exitCode === null && !(await post('{}').catch(() => undefined))) await sleep(20);
  // A request that never ends must not stop the others.
  const half = connect(port, '127.0.0.1').on('error', () => undefined);
  half.write('POST /ins HTTP/1.1\r\nHost: ins\r\nContent-Length: 9\r\n\r\n{');
  return { post, folder, stored: () => readFileSync(join(folder, 'events.ndjson'), 'utf8') };
}

/** `npm test` has the program that is always installed. */
describe.each(tier(documented.slice(0, 1), documented))('the receiver in $language', (program) => {
  test.skipIf(!succeeds(program.check))(
    `stores all events as they were sent, and answers all failures alike, also if it can't store one (needs ${program.language})`,
    async () => {
      const { post, stored, folder } = await start(program);
      for (const event of events) {
        expect(await post(encryptNotification(event, secret))).toEqual({ status: 200, text: '' });
      }
      const { notification, iv: own } = JSON.parse(encryptNotification('{"receipt":"A"}', secret));
      const bodies = [
        ...['', 'notification=a&iv=b', '{}'],
        JSON.stringify({ notification, iv: 'AAAA' }),
        JSON.stringify({ notification: 'AAAA', iv: own }),
        JSON.stringify({ notification: [], iv: {} }),
        encryptNotification('{"receipt":"A"}', 'ANOTHER', { iv }),
        encryptNotification('no JSON', secret),
      ];
      for (const body of bodies) expect(await post(body)).toEqual({ status: 400, text: '' });
      expect(stored()).toBe(events.map((event) => `${event}\n`).join(''));
      rmSync(join(folder, 'events.ndjson'));
      mkdirSync(join(folder, 'events.ndjson'));
      const unstored = encryptNotification('{"receipt":"A"}', secret);
      expect(await post(unstored)).toEqual({ status: 400, text: '' });
    },
  );
});

const others: readonly (readonly [name: string, check: Program, run: Program])[] = [
  ['Ruby', ['ruby', '-e', 'require "openssl"'], ['ruby', 'decrypt.rb']],
  ['Java', ['javac', '-version'], ['java', 'Decrypt.java']],
];

describe.each(isLong ? others : [])('%s', (name, check, [command, ...args]) => {
  const decrypt = (bodies: readonly string[], key = secret) =>
    spawnSync(command, args, {
      cwd: join(import.meta.dirname, 'receivers'),
      input: bodies.map((body) => `${body}\n`).join(''),
      env: { PATH: process.env.PATH, CB_INS_SECRET: key },
      encoding: 'utf8',
    }).stdout;

  test.skipIf(!succeeds(check))(`decrypts all events (needs ${name})`, () => {
    const bodies = events.map((event) => encryptNotification(event, secret));
    expect(decrypt(bodies)).toBe(events.map((event) => `${event}\n`).join(''));
    const body = encryptNotification('{"transactionType":"SALE"}', secret, { iv });
    expect(decrypt([body], 'ANOTHER')).not.toContain('SALE');
  });
});
