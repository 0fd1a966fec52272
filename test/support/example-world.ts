/**
 * The environment in which every example of the help runs: a home whose profiles use a newly seeded
 * sandbox, and the files that examples name.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { pacificDay, pacificTime } from '../../src/dates/pacific.ts';
import { encryptNotification } from '../../src/features/ins/notification.ts';
import { eventOf } from '../../src/features/ins/sample-event.ts';
import { KEYS } from '../../src/sandbox/http/keys.ts';
import { startSandbox } from '../../src/sandbox/http/server.ts';
import { receive } from '../sandbox/notifications/receiver.ts';
import { binFolder, shell } from './binary.ts';
import { type Home, home, now, type Options, type Ran, sandboxHome } from './cb.ts';
import { receiveNotifications } from './ins-receiver.ts';
import { person } from './person.ts';

/**
 * Lines that require a real shell with the built cb: those with several programs, that start a program,
 * or that compare the clocks of this machine.
 */
const shellWords = /[|&<>]|sandbox exec|doctor/;

const key = KEYS[0]?.key ?? '';

/** Encrypts the notifications of the examples. */
const secret = 'SECRET1KEY2026AB';

/** The receiver that examples name; each test has one at another port. */
const receiverUrl = 'http://localhost:3000/ins';

async function withReceiver(script: string): Promise<string> {
  if (!script.includes(receiverUrl)) return script;
  return script.replaceAll(receiverUrl, (await receiveNotifications()).url);
}

const why = ['ticket.type.refund.7', '', 'send'] as const;
const fullRefund = ['rfnd', 'FULL', ...why];

/** The answers to the prompts of examples. */
const answers: Readonly<Record<string, readonly string[]>> = {
  'cb login': [key],
  'cb login --profile shop2': [key],
  'cb ins secrets add': [secret],
  'cb tickets work': ['q'],
  'cb tickets work --type rfnd --log today.csv': ['q'],
  'cb tickets work --dry-run': ['q'],
  'cb tickets refund': ['email', 'ada.sample@', 'last-7-days', 'DIGITAL1', ...fullRefund],
  'cb tickets refund DIGITAL1': fullRefund,
  'cb tickets refund MONTHLY1 --dry-run': ['MONTHLY1-B004', 'rfnd', 'FULL', 'end', why[0], ''],
};

/** Whether a line serves until Ctrl-C. */
export function serves(line: string): boolean {
  return /^cb (?:sandbox start|ins listen)/.test(line);
}

/** Commands for a copy that exists. */
const needsCopy = /^cb (?:sync (?:status|check|forget|reset)|sql|metrics \w)/;

/** Makes what a text needs: a copy of the latest days, the journal of notifications, a URL of notifications, a product. */
async function prepare({ cb }: Home, text: string, env: Options['env'] = {}): Promise<void> {
  if (needsCopy.test(text)) {
    const tables = text.startsWith('cb metrics') ? '' : ' --tables orders,tickets';
    await cb(`sync --since -90d${tables}`, { env });
  }
  if (/^cb ins (?:list|resend|reconcile)/m.test(text)) {
    const { url } = await receiveNotifications();
    await cb(`ins reconcile --period last-7-days --replay-missing --forward-to ${url}`, { env });
  }
  const [, removed] = /^cb sandbox ins remove (\S+)/.exec(text) ?? [];
  if (removed) await cb(`sandbox ins add ${removed}`);
  if (text.startsWith('cb sandbox ins test')) await cb(`sandbox ins add ${(await receive()).url}`);
  if (text.includes('club.json')) {
    await cb('products get CLUB-M --site GREENLEAF --out club.json', { env });
  }
}

/** Runs a line from the help, and returns its output and exit code. */
export async function runExample(example: string): Promise<Ran> {
  const line = await withReceiver(example);
  if (shellWords.test(line)) return runByShell(line);
  const { ran } = await runLines([line]);
  return ran[0] as Ran;
}

/** Runs a block of a document: its lines one after another in one home, or by a shell where they need one. */
export async function runScript(example: string): Promise<Ran> {
  const script = await withReceiver(example);
  const lines = script
    .replaceAll(/ \\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const isPlain = lines.every((line) => line.startsWith('cb ') && !/[|&<>$]/.test(line));
  if (!isPlain || shellWords.test(script)) {
    return runByShell(`set -euo pipefail\n${script}`, 1000);
  }
  const { ran, folder } = await runLines(lines);
  // What serves was interrupted, or its port is in use.
  const isFine = ({ code }: Ran, at: number) =>
    code === 0 || (serves(lines[at] ?? '') && [130, 6].includes(code));
  return {
    code: ran.find((one, at) => !isFine(one, at))?.code ?? 0,
    out: ran.map(({ out }) => out).join('') + filesIn(folder),
    err: ran.map(({ err }) => err).join(''),
  };
}

/** Runs lines one after another in one home. */
async function runLines(lines: readonly string[]) {
  const place = await sandboxHome(300);
  const text = lines.join('\n');
  const env = await openWorld(place.folder, text, () => now);
  await prepare(place, text, env);
  const ran: Ran[] = [];
  for (const line of lines) {
    const given = answers[line];
    const options: Options = {
      env,
      ...(given && { columns: 80, person: person(...given) }),
      // Commands that serve until Ctrl-C are interrupted from the start.
      ...(serves(line) && { signal: AbortSignal.abort(130) }),
    };
    ran.push(await place.cb(line.replace(/^cb /, ''), options));
  }
  return { ran, folder: place.folder };
}

/** The beginning of each file that a script made. */
function filesIn(folder: string): string {
  return readdirSync(folder)
    .filter((name) => /\.(csv|html|xlsx)$/.test(name))
    .map((name) => `${name}: ${readFileSync(join(folder, name), 'utf8').slice(0, 20_000)}\n`)
    .join('');
}

/** What a script printed is followed by the beginning of each file that it made. */
async function runByShell(line: string, orders = 300): Promise<Ran> {
  const { folder } = home();
  const env = await openWorld(folder, line, clockFor(line), orders);
  const PATH = `${binFolder(folder)}:${process.env.PATH}`;
  const { code, out, err } = await shell(line, { home: folder, env: { ...env, PATH } }).ended();
  // It contains a sandbox key, and every remaining file is searched for keys.
  rmSync(join(folder, 'key.txt'), { force: true });
  return { code: code ?? -1, out: out + filesIn(folder), err };
}

/** A day has the orders that are waited for only when most of it is over: then it is evening in the sandbox at any hour. */
function clockFor(line: string): () => Date {
  if (!line.includes('orders watch --today')) return () => new Date();
  const hours = Number(pacificTime(Date.now() / 1000).slice(11, 13));
  return () => new Date(Date.now() - (hours + 2) * 3_600_000);
}

/** Prepares the data of the examples and returns their environment. */
async function openWorld(folder: string, line: string, clock: () => Date, orders = 300) {
  const file = join(folder, '.local/share/clickbank-cli/sandbox.sqlite');
  mkdirSync(dirname(file), { recursive: true });
  const sandbox = await startSandbox({ file, now: clock, seed: { orders } });
  onTestFinished(() => sandbox.close());
  const profile = { baseUrl: sandbox.url, key };
  write(folder, '.config/clickbank-cli/config.json', {
    current: 'work',
    profiles: { work: profile, shop2: profile },
    aliases: { week: 'orders list --period last-7-days' },
  });
  const replies = { thanks: 'Thank you, {firstName}.' };
  write(folder, '.config/clickbank-cli/replies.json', { version: 1, replies });
  if (/secrets (?:list|remove)/.test(line)) {
    const secrets = { shop2: { secret } };
    write(folder, '.config/clickbank-cli/notification-secrets.json', { secrets });
  }
  for (const [name, text] of Object.entries(files(clock()))) {
    if (line.includes(name)) write(folder, name, text);
  }
  mkdirSync(join(folder, '.zfunc'));
  const isAboutEvents = /^cb (?:--\S+ )*ins /m.test(line);
  return {
    CB_BASE_URL: sandbox.url,
    SHELL: '/bin/bash',
    ...(isAboutEvents && { CB_INS_SECRET: secret }),
  };
}

function files(today: Date): Readonly<Record<string, string>> {
  // Ship notices must not have a date in the future by the service's days.
  const [year, month, day] = pacificDay(today.getTime() / 1000).split('-');
  const shipStation =
    'Order - Number,Shipment - Tracking Number,Date - Shipped Date\n' +
    `PARCEL01,9400111899223100001,${month}/${day}/${year}\n`;
  const body = encryptNotification(eventOf('SALE', { now: today }), secret);
  return {
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
}

function write(folder: string, name: string, content: unknown): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(file, text, { mode: text.startsWith('#!') ? 0o700 : 0o600 });
}
