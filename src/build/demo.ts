/** `npm run demo`: a tour of one minute on the sandbox. Leaves no files behind. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runOnScreen } from './screen.ts';
import { tour } from './tour.ts';

const home = mkdtempSync(join(tmpdir(), 'cb-demo-'));
const { stdout, env, platform } = process;
const plain = !stdout.isTTY || (env.NO_COLOR ?? '') !== '';
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
  for await (const part of tour(screen)) stdout.write(part);
} finally {
  rmSync(home, { recursive: true, force: true });
}
