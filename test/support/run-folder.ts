/**
 * Seeded sandboxes, and a folder shared by the tests of one run, removed when the run ends, even if its workers crash. No
 * file in it may contain the canary.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchKeys } from './canary.ts';
import { prepareSeeds } from './seeds.ts';

/** Called once by Vitest before all workers; the returned function is called after them. */
export async function setup(): Promise<() => void> {
  await prepareSeeds();
  const folder = mkdtempSync(join(tmpdir(), 'cb-run-'));
  process.env.CB_TEST_RUN = folder;
  return () => {
    try {
      watchKeys().refuseBelow(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}
