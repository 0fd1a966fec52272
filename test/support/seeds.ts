/**
 * Seeded sandboxes, which tests copy. Each size is seeded once for all runs: the files stay in node_modules/.cache until
 * the code of the sandbox or a dependency changes. Also the folder that the tests of a run share.
 */
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type SeedOptions, startSandbox } from '../../src/sandbox/http/server.ts';
import { openDatabase } from '../../src/storage/sqlite.ts';
import { watchKeys } from './canary.ts';

/** The time of the tests: after the change to daylight time, before noon in Pacific time. */
export const now = new Date('2026-03-18T18:30:00Z');

const root = fileURLToPath(new URL('../../', import.meta.url));
const cache = join(root, 'node_modules/.cache/cb-seeds');
/** Folders of earlier code that are kept: other runs may use them at this moment. */
const keptFolders = 10;

/** What a seed is made of. The time zone must not matter, so no seed of another one may hide that it does. */
function fingerprint(): string {
  const facts = `${process.version} ${process.env.TZ} ${now.toISOString()}`;
  const hash = createHash('sha256').update(facts);
  hash.update(readFileSync(join(root, 'package-lock.json')));
  for (const layer of ['sandbox', 'operations', 'dates', 'decimals', 'storage']) {
    const names = readdirSync(join(root, 'src', layer), { recursive: true, encoding: 'utf8' });
    for (const name of names.filter((one) => one.endsWith('.ts')).sort()) {
      hash.update(name).update(readFileSync(join(root, 'src', layer, name)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

/** Seeds the usual sizes if the code has changed. */
async function prepareSeeds(): Promise<void> {
  const folder = join(cache, fingerprint());
  process.env.CB_TEST_SEEDS = folder;
  mkdirSync(folder, { recursive: true });
  const age = (name: string) => statSync(join(cache, name)).mtimeMs;
  const folders = readdirSync(cache).sort((one, other) => age(other) - age(one));
  for (const name of folders.slice(keptFolders)) rmSync(join(cache, name), { recursive: true });
  for (const orders of [60, 300, 5000]) await seedFile({ orders });
}

/**
 * Called once by Vitest before all workers. The returned function is called after them: it removes the folder of the run, even
 * if its workers crashed. No file in it may contain the canary.
 */
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

/** Copies a sandbox that was seeded at a time, by default that of the tests, to a new file. */
export async function copySeed(file: string, seed: SeedOptions, time = now): Promise<void> {
  const seeded = await seedFile(seed, time);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  copyFileSync(seeded, file);
}

async function seedFile(seed: SeedOptions, time = now): Promise<string> {
  const { orders, randomSeed = 1, orderAmounts = 'dollars' } = seed;
  const folder = process.env.CB_TEST_SEEDS ?? '';
  const file = join(folder, `${time.getTime()}-${orders}-${randomSeed}-${orderAmounts}.sqlite`);
  if (existsSync(file)) return file;
  const draft = mkdtempSync(join(folder, 'draft-'));
  const drafted = join(draft, 'sandbox.sqlite');
  const sandbox = await startSandbox({ file: drafted, now: () => time, seed });
  await sandbox.close();
  // Moves the latest writes from the log into the file.
  const database = await openDatabase(drafted);
  database.execute('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  // Another thread may have made the same file at the same time.
  renameSync(drafted, file);
  rmSync(draft, { recursive: true });
  return file;
}
