/**
 * `npm run bench:ins -- [SECONDS]`: sends notifications to `cb ins listen` while the receiver that it forwards to
 * hangs, and counts what was answered, in what time, with how much memory, and what is in the journal.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { encryptNotification } from '../../src/features/ins/notification.ts';
import { eventOf } from '../../src/features/ins/sample-event.ts';
import { openForReading } from '../../src/storage/sqlite.ts';
import { benchmark, cb } from './runner.ts';

const secret = 'BENCHMARKSECRET1';
const perSecond = 200;
const seconds = Number(process.argv[2] ?? 60);

/** Seconds before the times count: Node compiles the code of both programs meanwhile. */
const warmUp = 3;

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

interface Answer {
  readonly receipt: string;
  readonly status: number;
  readonly milliseconds: number;
}

/** Measures from the moment at which the notification was due, so that a queue before it counts. */
function send(port: number, receipt: string, due: number): Promise<Answer> {
  const body = encryptNotification(eventOf('SALE', { now: new Date(), receipt }), secret);
  return new Promise((done) => {
    const end = (status: number) =>
      done({ receipt, status, milliseconds: performance.now() - due });
    request({ port, host: '127.0.0.1', method: 'POST', agent }, (response) => {
      response.resume().on('end', () => end(response.statusCode ?? 0));
    })
      .on('error', () => end(0))
      .end(body);
  });
}

/** Sends at a steady rate, however late the answers are. */
async function sendAll(port: number, onSecond: () => void): Promise<Answer[]> {
  const start = performance.now();
  const answers: Promise<Answer>[] = [];
  for (let number = 0; number < perSecond * (warmUp + seconds); number += 1) {
    const due = start + (number * 1000) / perSecond;
    const early = due - performance.now();
    if (early > 0) await sleep(early);
    if (number % perSecond === 0) onSecond();
    answers.push(send(port, `BENCH${number}`, due));
  }
  return Promise.all(answers);
}

/** MiB; NaN where the operating system does not tell it this way. */
function memoryOf(pid: number | undefined): number {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return Number.NaN;
  }
}

await benchmark(async ({ folder }) => {
  const hanging = createServer(() => undefined);
  await once(hanging.listen(0, '127.0.0.1'), 'listening');
  const to = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/`;
  const { file, args } = cb(['ins', 'listen', '--port', '0', '--forward-to', to]);
  const env = { PATH: process.env.PATH, HOME: folder, CB_INS_SECRET: secret };
  const child = spawn(file, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const port = await new Promise<number>((done) =>
    child.stderr.on('data', (text) => {
      const [, found] = /127\.0\.0\.1:(\d+)/.exec(String(text)) ?? [];
      if (found) done(Number(found));
    }),
  );
  const memory: number[] = [];
  const answers = await sendAll(port, () => memory.push(memoryOf(child.pid)));
  child.kill('SIGKILL');
  await once(child, 'exit');
  hanging.close();
  hanging.closeAllConnections();
  agent.destroy();
  const data = join(folder, '.local/share/clickbank-cli');
  const journal = await openForReading(join(data, 'notifications.sqlite'));
  const rows = journal.all<{ receipt: string }>('SELECT receipt FROM event');
  journal.close();
  report(answers, new Set(rows.map(({ receipt }) => receipt)), memory);
});

function report(
  answers: readonly Answer[],
  journaled: ReadonlySet<string>,
  memory: readonly number[],
): void {
  const accepted = answers.filter(({ status }) => status === 200);
  const lost = accepted.filter(({ receipt }) => !journaled.has(receipt));
  const measured = answers.slice(perSecond * warmUp);
  const times = measured.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  const at = (share: number) =>
    `${(times[Math.ceil(times.length * share) - 1] ?? 0).toFixed(1)} ms`;
  const third = Math.ceil(memory.length / 3);
  const mean = (from: number) => {
    const some = memory.slice(from, from + third);
    return `${(some.reduce((sum, one) => sum + one, 0) / some.length).toFixed(0)} MiB`;
  };
  console.log(`sent       ${answers.length} in ${warmUp + seconds} s
accepted   ${accepted.length}
lost       ${lost.length}
answered   median ${at(0.5)}, 99th percentile ${at(0.99)}, longest ${at(1)}
memory     ${mean(third)} in the second third, ${mean(2 * third)} in the last`);
  if (accepted.length < answers.length || lost.length > 0) process.exitCode = 1;
}
