/** A command line that cannot be parsed. */
import { type Command, CommanderError } from 'commander';

/** Thrown where a line is parsed; run.ts then loads what explains it. */
export class Mistake extends Error {
  override readonly name = 'Mistake';
  readonly command: Command;
  readonly refusal: CommanderError;

  constructor(command: Command, refusal: CommanderError) {
    super(refusal.message, { cause: refusal });
    this.command = command;
    this.refusal = refusal;
  }
}

/** An option, as the help shows it, whose value is missing. */
export function missingValue(command: Command, flags: string): Mistake {
  return new Mistake(
    command,
    new CommanderError(2, 'commander.optionMissingArgument', `'${flags}'`),
  );
}

/** Thrown for a phrase that could mean several commands, or a write that does more than it says. */
export class Unclear extends Error {
  override readonly name = 'Unclear';
  readonly phrase: string;
  readonly ways: Ways;
  /** The word after the phrase. */
  readonly next: string | undefined;

  constructor(phrase: string, ways: Ways, next: string | undefined) {
    super(phrase);
    this.phrase = phrase;
    this.ways = ways;
    this.next = next;
  }
}

/** Commands to type, by what they are for. `<…>` stands for the word after the phrase. */
export type Ways = Readonly<Record<string, string>>;
