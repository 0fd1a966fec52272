/** What a command tells about itself beyond its options: notes, examples that run, and where to read on. */
import type { Command } from 'commander';
import type { Role } from '../../operations/operation.ts';
import type { Block } from './blocks.ts';
import type { Topic } from './topics/topics.ts';

/** Obeyed by every command that sends requests. */
export const connectionOptions = [
  ...(['--profile', '--sandbox', '--timeout', '--max-wait', '--wire'] as const),
];

/** Obeyed by those that read or show times, too. */
export const requestOptions = [...connectionOptions, '--tz'] as const;

export const readOptions = [...requestOptions, '--all-profiles'] as const;

/** Global options that some commands obey; every command obeys the others. */
export type ServiceOption = (typeof readOptions)[number];

/** `writes`: changes something that can be changed back. `destroys`: moves money or deletes something. */
export type Effect = 'reads' | 'writes' | 'destroys';

export interface HelpText {
  readonly notes?: readonly Block[];
  /** Command lines; each is run by the tests as it stands here. */
  readonly examples?: readonly string[];
  /** The examples send requests: they can be tried on the sandbox. */
  readonly asks?: boolean;
  /** The global options that it obeys of those that not every command does. */
  readonly obeys?: readonly ServiceOption[];
  /** Permissions that the key needs; empty where no key is needed, and absent where no request is sent. */
  readonly roles?: readonly Role[];
  /** Details for `--help --all`. */
  readonly remarks?: readonly string[];
  readonly topics?: readonly Topic[];
  /** Default: reads. */
  readonly effect?: Effect;
  /** It can answer no, with exit code 9. */
  readonly answersNo?: boolean;
  /** Its output has a format of its own, so that it refuses --output. */
  readonly ownFormat?: boolean;
  /** What follows the name of the command in its usage line, where options can't come last. */
  readonly usage?: string;
}

declare module 'commander' {
  interface Help {
    helpText?(): HelpText;
  }
}

/** Sets what the help of a command says besides its options. */
export function addHelp(command: Command, helpText: () => HelpText): Command {
  return command.configureHelp({ ...command.configureHelp(), helpText });
}

export function helpTextOf(command: Command): HelpText {
  return command.createHelp().helpText?.() ?? {};
}

const tryIt = 'Examples (add --sandbox to try them without an account):';

/** Those that fit a line of 80 columns, if there are any. */
function briefExamples(examples: readonly string[]): readonly string[] {
  const fitting = examples.filter((line) => line.length <= 78);
  return fitting.length > 0 ? fitting.slice(0, 3) : examples.slice(0, 2);
}

/** What a page ends with, below the options; `pointers` name other pages. */
export function endingOf(
  helpText: HelpText,
  {
    all = true,
    pointers = [],
  }: { readonly all?: boolean; readonly pointers?: readonly string[] } = {},
): Block[] {
  const { notes = [], examples = [], asks, roles, remarks = [], topics = [] } = helpText;
  const shown = all ? examples : briefExamples(examples);
  const last = [
    ...(roles ? [permissionText(roles)] : []),
    ...(all ? remarks : []),
    ...(topics.length > 0 ? [`Learn more: cb help ${topics.join(', ')}.`] : []),
    ...pointers,
  ];
  return [
    ...notes,
    ...(shown.length > 0 ? [asks ? tryIt : 'Examples:', shown] : []),
    ...(last.length > 0 ? [last.join('\n')] : []),
  ];
}

function permissionText(roles: readonly Role[]): string {
  if (roles.length === 0) return 'No API key is required.';
  return `Required key permissions: ${[...new Set(roles)].join(', ')}.`;
}
