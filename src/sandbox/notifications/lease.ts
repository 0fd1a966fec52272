/** Makes sure that one process at a time sends to a URL, so that events keep their order. */
import { randomUUID } from 'node:crypto';
import { type Identity, identityOf, livenessOf, type Processes } from '../../storage/lock-owner.ts';
import type { Database } from '../../storage/sqlite.ts';
import { getSending, type Sending, saveSending } from '../store/notifications/ins-url.ts';

/** Real milliseconds, longer than one attempt takes. */
const LENGTH = 10_000;
/** Renewed when less than this is left. */
const RENEWAL = 7000;

interface Holder {
  readonly token: string;
  readonly process: Identity | null;
}

export interface Leases {
  /** Takes or renews the lease; false if another process has it, or if the URL was removed. */
  take(urlId: number): boolean;
  release(urlId: number): void;
}

/** Without `processes`, the lease of a process that was killed ends by time only. */
export function createLeases(db: Database, processes: Processes | undefined): Leases {
  const own: Holder = {
    token: randomUUID(),
    process: processes ? identityOf(processes) : null,
  };
  const sender = JSON.stringify(own);

  function isFree({ sender: other, until }: Sending): boolean {
    if (other === null || other === sender || until < Date.now()) return true;
    const holder = JSON.parse(other) as Holder;
    // The clock of this machine may have been set back.
    if (until > Date.now() + LENGTH) return true;
    return !!processes && !!holder.process && livenessOf(holder.process, processes) === 'ended';
  }

  return {
    take(urlId) {
      const held = getSending(db, urlId);
      if (!held) return false;
      if (held.sender === sender && held.until > Date.now() + RENEWAL) return true;
      return db.immediately(() => {
        const now = getSending(db, urlId);
        if (!now || !isFree(now)) return false;
        saveSending(db, urlId, { sender, until: Date.now() + LENGTH });
        return true;
      });
    },
    release(urlId) {
      if (getSending(db, urlId)?.sender === sender) {
        saveSending(db, urlId, { sender: null, until: 0 });
      }
    },
  };
}
