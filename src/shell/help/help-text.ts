/** The help text of a command besides its options: notes, examples that run, and related topics. */
import type { Role } from '../../operations/operation.ts';
import type { Block } from './blocks.ts';
import type { Topic } from './topics.ts';

/** Options that every command that sends requests obeys. */
export const connectionOptions = [
  ...(['--profile', '--sandbox', '--timeout', '--max-wait', '--wire'] as const),
];

/** Options that commands which read or show times also obey. */
export const requestOptions = [...connectionOptions, '--tz'] as const;

export const readOptions = [...requestOptions, '--all-profiles'] as const;

/** Global options that some commands obey; every command obeys the others. */
export type ServiceOption = (typeof readOptions)[number];

/** `writes`: changes something that can be changed back. `destroys`: moves money or deletes something. */
export type Effect = 'reads' | 'writes' | 'destroys';

export interface HelpText {
  readonly notes?: readonly Block[];
  /** Command lines; the tests run each of them. */
  readonly examples?: readonly string[];
  /** The examples send requests, so they can be tried on the sandbox. */
  readonly asks?: boolean;
  /** Global options that this command obeys, of those that not every command obeys. */
  readonly obeys?: readonly ServiceOption[];
  /** Permissions that the key needs; empty if no key is needed, and absent if no request is sent. */
  readonly roles?: readonly Role[];
  /** Details for `--help --all`. */
  readonly remarks?: readonly string[];
  readonly topics?: readonly (Topic | '--all')[];
  /** Default: reads. */
  readonly effect?: Effect;
  /** The answer can be no, which is exit code 9. */
  readonly answersNo?: boolean;
  /** Its output has a fixed format, so it rejects --output. */
  readonly ownFormat?: boolean;
  /** Groups of commands of which the short page shows only the names. */
  readonly brief?: readonly string[];
  /** The end of the usage line, for commands whose options can't come last. */
  readonly usage?: string;
}
