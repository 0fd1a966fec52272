/** The interfaces for the rules of a write: its description, its warnings, and its verifier. */
import type { Client } from '../client/client.ts';
import { ApiError } from '../client/errors.ts';
import type { Json } from '../ledger/entry.ts';
import type { Arguments } from '../operations/operation.ts';
import type { Amounts, Reader } from './reads.ts';
import type { Sentence } from './sentence.ts';
import type { Warning } from './warnings.ts';

/** What existed before a write, to distinguish a write found later. */
export type Snapshot = Json;

/** A write that was found; `reply` is its current state, if the service shows it. */
export interface FoundWrite {
  readonly reply?: unknown;
  /** It may be the write of somebody else, since the service does not show all of it. */
  readonly isUnsure?: boolean;
}

/** The state, at one time, of everything that a write may change. */
export interface Look {
  /** A sentence about an equal ticket or notice that already exists, without its final period. */
  readonly existingMatch?: string;
  /** The match is for another item or amount, so it does not fulfill the request. */
  readonly isOther?: boolean;
  /** What the write asks for is there, or the state from which it starts is gone, by this write or another one. */
  readonly isThere?: boolean;
  readonly snapshot: Snapshot;
  /** Finds a write made after `before`. Undefined proves nothing: reads may lag, and a write may be in progress. */
  find(args: Arguments, before: Snapshot): FoundWrite | undefined;
}

export interface WriteVerifier {
  /** Returns undefined if the service refuses: a key may be allowed to write but not to read. */
  look(client: Client, args: Arguments): Promise<Look | undefined>;
  /** How ClickBank refuses the write if what it asks for is there, for example because a gateway delivered it twice. */
  readonly refusedIfThere?: RegExp;
  /** Whether the earlier write, if it appears late, could be mistaken for the later one. */
  mayMistake?(earlier: Arguments, later: Arguments): boolean;
}

export interface WriteRules {
  describe(reader: Reader, args: Arguments): Promise<Sentence>;
  warn?(reader: Reader, args: Arguments): Promise<readonly Warning[]>;
  /** The amounts that the write would refund; undefined if none or unreadable. */
  refund?(reader: Reader, args: Arguments): Promise<Amounts | undefined>;
  /** A string is a clause that says why the write can't be verified. */
  readonly verify: WriteVerifier | string;
}

export type Values = Readonly<Record<string, string | number | boolean | undefined>>;
export type Fields = Readonly<Record<string, unknown>>;

/** Returns undefined if ClickBank itself refuses the read (400, 403, 404). */
export async function unlessRefused<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    const refusals: readonly unknown[] = [400, 403, 404];
    const isRefusal = error instanceof ApiError && error.kind === 'refused';
    if (isRefusal && refusals.includes(error.status)) return undefined;
    throw error;
  }
}
