/**
 * A folder for what the tests of one run share; it goes when the run ends, however its workers do. No file
 * that is left in it may hold the canary.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchKeys } from './canary.ts';

/** Called once by Vitest, before all workers; what it returns is called after them. */
export function setup(): () => void {
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
