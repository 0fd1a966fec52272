/**
 * `npm run demo`: a tour of one minute on the sandbox. Leaves no files behind. A terminal gets it at the pace of a reader;
 * `npm run demo -- --fast` shows it at once.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runOnScreen } from './screen.ts';
import { secondsToRead, tour } from './tour.ts';

const { values } = parseArgs({ options: { fast: { type: 'boolean', default: false } } });

const home = mkdtempSync(join(tmpdir(), 'cb-demo-'));
const { stdout, env, platform } = process;
const plain = !stdout.isTTY || (env.NO_COLOR ?? '') !== '';
const isPaced = stdout.isTTY && !values.fast;
const screen = {
  home,
  columns: Math.min(Math.max(stdout.columns ?? 0, 80), 100),
  now: () => new Date(),
  platform,
  ...(plain && { env: { NO_COLOR: '1' } }),
};

try {
  console.log('cb in one minute, on a sandbox with sample orders.');
  await runOnScreen(screen, 'cb sandbox status');
  for await (const part of tour(screen)) {
    stdout.write(part);
    if (isPaced) await wait(secondsToRead(part) * 1000);
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
