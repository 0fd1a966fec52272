/** What the help of a command ends with: notes, examples that run, and where to read on. */
import type { Command } from 'commander';
import type { Role } from '../../operations/operation.ts';
import type { Block } from './blocks.ts';
import type { Topic } from './topics.ts';

export interface HelpText {
  readonly notes?: readonly Block[];
  /** Command lines; each is run by the tests as it stands here. */
  readonly examples?: readonly string[];
  /** The examples ask the service: they can be tried on the sandbox. */
  readonly asks?: boolean;
  /** What the key needs; empty where no key is needed, and absent where nothing is asked. */
  readonly roles?: readonly Role[];
  /** What stands below the examples. */
  readonly remarks?: readonly string[];
  readonly topics?: readonly Topic[];
}

declare module 'commander' {
  interface Help {
    /** What a page ends with, below the flags. */
    end?(): readonly Block[];
  }
}

/** Adds to what the help of a command ends with. */
export function addHelp(command: Command, helpText: () => HelpText): Command {
  return command.configureHelp({ ...command.configureHelp(), end: () => blocksOf(helpText()) });
}

const tryIt = 'Examples (add --sandbox to try them without an account):';

function blocksOf(helpText: HelpText): Block[] {
  const { notes = [], examples = [], asks, roles, remarks = [], topics = [] } = helpText;
  return [
    ...notes,
    ...(examples.length > 0 ? [asks ? tryIt : 'Examples:', examples] : []),
    ...(roles ? [keyFor(roles)] : []),
    ...remarks,
    ...(topics.length > 0 ? [`More: cb help ${topics.join(', ')}.`] : []),
  ];
}

function keyFor(roles: readonly Role[]): string {
  if (roles.length === 0) return 'No key is needed.';
  return `The key needs: ${roles.join(', ')}. cb whoami tells what yours may do.`;
}
