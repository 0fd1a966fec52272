/**
 * The environment in which every example of the help runs: a home whose profiles use a newly seeded
 * sandbox, and the files that examples name.
 */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, onTestFinished } from 'vitest';
import { pacificDay } from '../../src/dates/day.ts';
import { encryptNotification } from '../../src/features/ins/notification.ts';
import { eventOf } from '../../src/features/ins/sample-event.ts';
import { run } from '../../src/run.ts';
import { KEYS } from '../../src/sandbox/http/keys.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/http/server.ts';
import { receive } from '../sandbox/notifications/receiver.ts';
import { binFolder, shell } from './binary.ts';
import { type Home, home, now, type Options, type Ran, world } from './cb.ts';
import { receiveNotifications } from './ins-listener.ts';
import { person } from './person.ts';
import { copySeed } from './seeds.ts';
import { tier } from './tier.ts';

/** What only a shell understands, outside of single quotes; and programs that cb starts. */
const shellWords = /[|<>$`;"]|(?<!&)&(?!&)|sandbox exec|--exec/;

/** What may change the sandbox, so that it needs one of its own; a line that is none of these only reads. */
const changes =
  /\b(?:create|refund|work|close|reopen|returned|comment|change\S*|pause|extend|reinstate|save|delete|add|import|POST|PUT|DELETE|sandbox|approve|mcp|ins|watch)\b|--yes/;

const key = KEYS[0]?.key ?? '';

/** Encrypts the notifications of the examples. */
const secret = 'SECRET1KEY2026AB';

/** The receiver that examples name; each test has one at another port. */
const receiverUrl = 'http://localhost:3000/ins';

async function withReceiver(script: string): Promise<string> {
  if (!script.includes(receiverUrl)) return script;
  return script.replaceAll(receiverUrl, (await receiveNotifications()).url);
}

const reason = 'ticket.type.refund.7';
const fullRefund = ['rfnd', 'FULL', reason, '', 'send'];

/** The answers to the prompts of examples. */
const answers: Readonly<Record<string, readonly string[]>> = {
  'cb login': [key],
  'cb login --profile shop2': [key],
  'cb ins secrets add': [secret],
  'cb tickets work': ['q'],
  'cb tickets work --type refund --log today.csv': ['q'],
  'cb tickets work --dry-run': ['q'],
  'cb tickets refund': ['email', 'ada.sample@', 'last-7-days', 'DIGITAL1', ...fullRefund],
  'cb tickets refund DIGITAL1': fullRefund,
  'cb tickets refund MONTHLY1 --dry-run': ['MONTHLY1-B004', 'rfnd', 'FULL', 'end', reason, ''],
};

/** Whether a line serves until Ctrl-C. */
const serves = /^cb (?:sandbox start|ins listen)/;

/** Fills the journal of notifications if a line needs one. */
async function journalFor({ cb }: Home, line: string, env: Options['env'] = {}): Promise<void> {
  if (!/^cb ins (?:list|resend|reconcile)/m.test(line)) return;
  const { url } = await receiveNotifications();
  await cb(`ins listen --port 0 --limit 0 --forward-to ${url}`, { env });
  await cb('ins reconcile --period last-7-days --replay-missing', { env });
}

/** Adds the URL of notifications that the line removes or tests. */
async function addUrlFor({ cb }: Home, line: string): Promise<void> {
  const [, removed] = /^cb sandbox ins remove (\S+)/.exec(line) ?? [];
  if (removed) await cb(`sandbox ins add ${removed}`);
  if (line.startsWith('cb sandbox ins test')) await cb(`sandbox ins add ${(await receive()).url}`);
}

/**
 * Runs an example of the help, or a block of a document: its lines one after another in one home, or by a shell where they
 * need one. The exit code is that of the first line that fails; what it printed is followed by the beginning of each file
 * that it made.
 */
export async function runScript(example: string): Promise<Ran> {
  // Fewer orders, and a copy of fewer days, show the same.
  const script = (await withReceiver(example))
    .replace(/--orders 20+/, '--orders 200')
    .replace(
      /^cb sync(?=$| --(?!to)| && | \S+\.db)(?!.* --since)/gm,
      `cb sync ${/\b(?:sql|metrics)\b/.test(example) ? copiedDays : tier('--since -10d', '')}`.trim(),
    );
  const lines = script
    .replaceAll(/ \\\n\s*/g, ' ')
    .replaceAll(/"([^"'$`\\]*)"/g, "'$1'")
    .split(/\n| && /)
    .filter((line) => line !== '' && !line.startsWith('#'));
  const isPlain = lines.every((line) => {
    const bare = line.replaceAll(/'[^']*'/g, '');
    return /^(?:cb |export \w+=\S+$)/.test(line) && !shellWords.test(bare);
  });
  if (!isPlain) return runByShell(script);
  const place = home();
  const env: Record<string, string> = await openWorld(place.folder, script);
  await journalFor(place, script, env);
  await addUrlFor(place, script);
  if (script.includes('club.json')) {
    await place.cb('products get CLUB-M --site GREENLEAF --out club.json', { env });
  }
  const ran = { code: 0, out: '', err: '' };
  for (const line of lines) {
    const [, name, value = ''] = /^export (\w+)=(.*)$/.exec(line) ?? [];
    if (name) env[name] = value;
    else await runLine(place, line, env, ran);
    if (ran.code !== 0) break;
  }
  ran.out += filesIn(place.folder);
  return ran;
}

async function runLine(
  { cb }: Home,
  line: string,
  env: Readonly<Record<string, string>>,
  ran: { code: number; out: string; err: string },
): Promise<void> {
  const given = answers[line];
  const isServed = serves.test(line);
  const { code, out, err } = await cb(line.replace(/^cb /, ''), {
    env,
    ...(given && { columns: 80, person: person(...given) }),
    // Commands that serve until Ctrl-C are interrupted from the start.
    ...(isServed && { signal: AbortSignal.abort(130) }),
  });
  ran.out += out;
  ran.err += err;
  // What serves was interrupted, or its port is in use.
  ran.code = isServed && [130, 6].includes(code) ? 0 : code;
}

/** The beginning of each file that a script made. */
function filesIn(folder: string): string {
  return readdirSync(folder)
    .filter((name) => /\.(csv|html|parquet|xlsx)$/.test(name))
    .map((name) => `${name}: ${readFileSync(join(folder, name), 'utf8').slice(0, 2000)}\n`)
    .join('');
}

/** Runs a script by a strict shell, in which cb is the built program, which has the time of the sandbox. */
async function runByShell(script: string): Promise<Ran> {
  const { folder } = home();
  const env = await openWorld(folder, script);
  const PATH = `${binFolder(folder)}:${process.env.PATH}`;
  const line = `set -euo pipefail\n${script}`;
  const { code, out, err } = await shell(line, { home: folder, env: { ...env, PATH } }).ended();
  // It contains a sandbox key, and every remaining file is searched for keys.
  rmSync(join(folder, 'key.txt'), { force: true });
  return { code: code ?? -1, out: out + filesIn(folder), err };
}

/** A sandbox for all examples that only read, and a home with a copy of its account. */
interface SharedWorld {
  readonly sandbox: Sandbox;
  readonly folder: string;
  copies?: Promise<string>;
}

let shared: Promise<SharedWorld> | undefined;

/** For a file of tests that runs examples: they share what they only read. */
export function shareWorlds(): void {
  afterAll(async () => {
    if (!shared) return;
    const { sandbox, folder } = await shared;
    const written = sandbox.requests.filter(({ method }) => !/GET|HEAD/.test(method));
    await sandbox.close();
    rmSync(folder, { recursive: true });
    shared = undefined;
    expect(written).toEqual([]);
  });
}

async function openShared(): Promise<SharedWorld> {
  const folder = mkdtempSync(join(process.env.CB_TEST_RUN ?? tmpdir(), 'cb-examples-'));
  const sandbox = await serveFile(join(folder, 'sandbox.sqlite'));
  return { sandbox, folder };
}

/** The days of the copies. */
const copiedDays = tier('--since -80d', '');

/** Copies the account once, and returns the folder of the copies. */
async function copiesOf({ folder, sandbox }: SharedWorld): Promise<string> {
  writeProfiles(folder, sandbox.url);
  const env = { CB_BASE_URL: sandbox.url };
  const { context, stderr } = world(folder, { env });
  const code = await run(['sync', ...copiedDays.split(' ').filter(Boolean)], context);
  expect(code, stderr.text).toBe(0);
  return join(folder, dataFolder, 'copies');
}

async function serveFile(file: string): Promise<Sandbox> {
  await copySeed(file, { orders: 300 });
  return startSandbox({ file, now: () => now });
}

const dataFolder = '.local/share/clickbank-cli';

/** Whether one process can run a line that changes nothing at the service, without a shell or answers. */
export function isPlainRead(line: string): boolean {
  return !changes.test(line) && !shellWords.test(line) && answers[line] === undefined;
}

/** Prepares the data of the examples and returns their environment. */
export async function openWorld(folder: string, script: string) {
  const isOfCopy = /^cb (?:sync|sql|metrics)\b.*$/gm;
  const sandbox = changes.test(script.replaceAll(isOfCopy, ''))
    ? await openOwn(folder)
    : await openRead(folder, script);
  writeProfiles(folder, sandbox.url);
  const replies = { thanks: 'Thank you, {firstName}.' };
  write(folder, '.config/clickbank-cli/replies.json', { version: 1, replies });
  const secrets = { shop2: { secret } };
  const isStored = /secrets (?:list|remove)/.test(script);
  if (isStored) write(folder, '.config/clickbank-cli/notification-secrets.json', { secrets });
  for (const [file, text] of Object.entries(files)) {
    if (script.includes(file)) write(folder, file, text);
  }
  mkdirSync(join(folder, '.zfunc'));
  const isAboutEvents = /^cb (?:--\S+ )*ins /m.test(script);
  const env = { CB_BASE_URL: sandbox.url, SHELL: '/bin/bash' };
  return { ...env, ...(isAboutEvents && { CB_INS_SECRET: secret }) };
}

async function openOwn(folder: string): Promise<Sandbox> {
  const sandbox = await serveFile(join(folder, dataFolder, 'sandbox.sqlite'));
  onTestFinished(() => sandbox.close());
  return sandbox;
}

async function openRead(folder: string, script: string): Promise<Sandbox> {
  shared ??= openShared();
  const found = await shared;
  const needsCopy = /\b(?:sync|sql|metrics)\b/.test(script);
  if (needsCopy && !script.includes('--without-personal-data')) {
    found.copies ??= copiesOf(found);
    cpSync(await found.copies, join(folder, dataFolder, 'copies'), { recursive: true });
  }
  return found.sandbox;
}

function writeProfiles(folder: string, baseUrl: string): void {
  const profiles = { work: { baseUrl, key }, shop2: { baseUrl, key } };
  const aliases = { week: 'orders list --period last-7-days' };
  const config = { current: 'work', profiles, aliases };
  write(folder, '.config/clickbank-cli/config.json', config);
}

// Ship notices must not have a date in the future by the service's days.
const [year, month, day] = pacificDay(now.getTime() / 1000).split('-');
const shipStation =
  'Order - Number,Shipment - Tracking Number,Date - Shipped Date\n' +
  `PARCEL01,9400111899223100001,${month}/${day}/${year}\n`;
const body = encryptNotification(eventOf('SALE', { now }), secret);

const files: Readonly<Record<string, string>> = {
  'key.txt': `${key}\n`,
  'secret.txt': `${secret}\n`,
  'body.json': body,
  'request.txt': `POST /ins HTTP/1.1\nContent-Type: text/plain\n\n${body}`,
  'shipped.csv': 'receipt,tracking\nPARCEL01,9400111899223100001\n',
  'export.csv': shipStation,
  'shipstation.csv': shipStation,
  'cancel.csv': 'receipt\nMONTHLY1\nLIMITED1\n',
  'nightly-export.sh': '#!/bin/sh\ntest -n "$CB_API_KEY" && test -n "$CB_BASE_URL"\n',
};

function write(folder: string, name: string, content: unknown): void {
  const file = join(folder, name);
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, text, { mode: text.startsWith('#!') ? 0o700 : 0o600 });
}
