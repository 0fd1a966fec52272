/** The contract of the rules of a write: its sentence, its warnings, and how it is found afterwards. */
import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import type { Arguments } from '../../operations/operation.ts';
import type { Amounts, Reader } from './reads.ts';
import type { Sentence } from './sentence.ts';
import type { Warning } from './warnings.ts';

/** What existed before a write, as JSON: a write that is seen later is told from it by this. */
export type Snapshot =
  | string
  | number
  | boolean
  | null
  | readonly Snapshot[]
  | { readonly [name: string]: Snapshot };

/** A write that is seen; `reply` is what the service now shows of it, where it shows anything. */
export interface FoundWrite {
  readonly reply?: unknown;
}

/** What the service shows at one moment about everything that a write may change. */
export interface Look {
  /** One sentence about an equal ticket or notice that exists already. */
  readonly existingMatch?: string;
  /** The match is about another item of the order: what was asked for is not done by it. */
  readonly isOtherItem?: boolean;
  readonly snapshot: Snapshot;
  /**
   * Finds a write that was made after `before` was taken. Undefined proves nothing: reads may lag behind
   * writes, and a write may still be under way.
   */
  find(args: Arguments, before: Snapshot): FoundWrite | undefined;
}

export interface WriteVerifier {
  /** Undefined where the service refuses: a key may be allowed to write but not to read. */
  look(api: Client, args: Arguments): Promise<Look | undefined>;
  /** Whether the earlier write, when it shows up late, could be taken for the later one. */
  mayMistake?(earlier: Arguments, later: Arguments): boolean;
}

export interface WriteRules {
  describe(reader: Reader, args: Arguments): Promise<Sentence>;
  warn?(reader: Reader, args: Arguments): Promise<readonly Warning[]>;
  /** What the write would pay back; undefined where it refunds nothing or that can't be read. */
  refund?(reader: Reader, args: Arguments): Promise<Amounts | undefined>;
  /** A text says why nothing that can be read shows whether the write was done. */
  readonly verify: WriteVerifier | string;
}

export type Values = Readonly<Record<string, string | number | boolean | undefined>>;
export type Fields = Readonly<Record<string, unknown>>;

/** Undefined where the service refuses the read (400, 403, 404). */
export async function unlessRefused<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    const refusals: readonly unknown[] = [400, 403, 404];
    if (error instanceof ApiError && refusals.includes(error.status)) return undefined;
    throw error;
  }
}
