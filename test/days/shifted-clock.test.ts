/** The harness of `npm run test:days`: processes with the shifted clock, and selected files. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { clockAt, filesThatDependOnTheDay } from './points.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const hasFaketime = spawnSync('faketime', ['--version']).status === 0;

/** Prints the minute and time zone seen by each kind of process; programs have their own environment. */
const program = `
require('./test/support/loopback-only.cjs');
const { execFileSync, spawn } = require('node:child_process');
const { Worker } = require('node:worker_threads');
const seen = "new Date().toISOString().slice(0, 16) + ' ' + Intl.DateTimeFormat().resolvedOptions().timeZone";
const options = { env: { PATH: process.env.PATH } };
console.log('process', eval(seen));
console.log('synchronous', execFileSync(process.execPath, ['-p', seen], options).toString().trim());
console.log('shell', execFileSync('bash', ['-c', 'date -u +%FT%H:%M; echo " $TZ"'], options).toString().replaceAll('\\n', ''));
spawn('bash', ['-c', \`echo "grandchild $(\${process.execPath} -p "\${seen}")"\`], options).stdout.pipe(process.stdout);
new Worker("console.log('worker', " + seen + ")", { eval: true });
`;

test.skipIf(!hasFaketime)(
  'shifts the clock and time zone of a process, its threads, and its child processes (needs faketime)',
  () => {
    const ran = spawnSync(process.execPath, ['-e', program], {
      cwd: root,
      env: { ...process.env, ...clockAt('2028-02-29T23:30:20Z', 'Asia/Tokyo') },
      encoding: 'utf8',
    });
    const seen = '2028-02-29T23:30 Asia/Tokyo';
    const lines = ['process', 'synchronous', 'shell', 'grandchild', 'worker'];
    expect(ran.stdout.trim().split('\n').sort()).toEqual(
      lines.map((line) => `${line} ${seen}`).sort(),
    );
  },
);

test('lists existing files that depend on the day, including the examples', () => {
  const files = filesThatDependOnTheDay();
  expect(files.filter((path) => !existsSync(root + path))).toEqual([]);
  const names = files.map((path) => path.split('/').slice(-2).join('/'));
  expect(names).toEqual(
    expect.arrayContaining([
      'terminal/examples.test.ts',
      'lists/orders.test.ts',
      'terminal/signals.test.ts',
      'lifecycle/lifecycle.test.ts',
    ]),
  );
});
