/** `--since` and `--until`: the first and last day under the same names for every command that reads a period. */
import { type Command, Option } from 'commander';
import type { Operation } from '../../operations/operation.ts';
import { type Period, periodsOf } from '../../operations/period.ts';
import { type Accepting, flagName, type Typed } from './flags.ts';

/** The options, each with the end of the period that it sets. */
const ends = { since: 'first', until: 'last' } as const;

/**
 * An option that sets the value of another option. commander and the check for repeated options compare attribute
 * names.
 */
class SynonymOption extends Option {
  private readonly target: string;

  constructor(meant: Option, name: string) {
    super(meant.flags.replace(/--\S+/, `--${name}`), `Same as ${meant.long}`);
    this.target = meant.attributeName();
    if (meant.helpGroupHeading !== undefined) this.helpGroup(meant.helpGroupHeading);
  }

  override attributeName(): string {
    // The constructor of the parent class calls this method too.
    return this.target ?? super.attributeName();
  }
}

/** The period that dates the rows, otherwise the first one that the operation accepts. */
function mainPeriod(operation: Omit<Operation, 'check'>): Period | undefined {
  const { returns } = operation;
  const periods = periodsOf(operation);
  const by = 'dated' in returns ? returns.dated?.by : undefined;
  return periods.find(({ name }) => name === by) ?? periods[0];
}

/** Adds the two options, unless another operation of the command has added them. */
export function addPeriodSynonyms(command: Accepting, operation: Omit<Operation, 'check'>): void {
  const period = mainPeriod(operation);
  for (const [name, end] of Object.entries(ends)) {
    const meant = command.options.find((option) => option.attributeName() === period?.[end]);
    if (!meant || command.options.some(({ long }) => long === `--${name}`)) continue;
    command.addOption(new SynonymOption(meant, name));
  }
}

/** Records for `typedName` which of the options were typed. */
export function markSynonyms(command: Command): void {
  for (const option of command.options) {
    if (!(option instanceof SynonymOption)) continue;
    const name = option.name();
    command.on(`option:${name}`, () => command.setOptionValue(markOf(name), true));
  }
}

/** Returns the key that records that the user typed the synonym. */
function markOf(name: string): string {
  return `${name}Typed`;
}

/**
 * Returns the option or argument of a parameter as the user typed it, for example `--since` instead of
 * `--start-date`.
 */
export function typedName(operation: Operation, param: string, typed: Typed): string {
  const period = mainPeriod(operation);
  const synonym = Object.entries(ends).find(
    ([name, end]) => period?.[end] === param && typed[markOf(name)] === true,
  );
  return synonym ? `--${synonym[0]}` : flagName(operation, param);
}
