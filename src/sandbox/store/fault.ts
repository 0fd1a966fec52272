/** The faults of the sandbox, and how far they came, kept where every process on the file sees them. */
import type { Database } from './driver.ts';

const FAULTS = 'faults';
const PROGRESS = 'faultProgress';

function readText(db: Database, name: string): string | undefined {
  return db.first<{ value: string }>('SELECT value FROM setting WHERE name = ?', [name])?.value;
}

function writeText(db: Database, name: string, value: string): void {
  db.run('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)', [name, value]);
}

/** The list of faults as it was set; undefined for none. */
export function readFaults(db: Database): string | undefined {
  return readText(db, FAULTS);
}

/** Sets the faults, or ends them; what is counted begins anew. */
export function writeFaults(db: Database, faults: string | undefined): void {
  db.immediately(() => {
    db.run('DELETE FROM setting WHERE name IN (?, ?)', [FAULTS, PROGRESS]);
    if (faults !== undefined) writeText(db, FAULTS, faults);
  });
}

/** What `writeFaultProgress` wrote since the faults were set; undefined before. */
export function readFaultProgress(db: Database): unknown {
  const text = readText(db, PROGRESS);
  return text === undefined ? undefined : JSON.parse(text);
}

export function writeFaultProgress(db: Database, progress: unknown): void {
  writeText(db, PROGRESS, JSON.stringify(progress));
}
