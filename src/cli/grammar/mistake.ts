/** A command line that cannot be parsed. */
import { type Command, CommanderError } from 'commander';

/** Thrown where a line is parsed; run.ts then loads what explains it. */
export class Mistake extends Error {
  override readonly name = 'Mistake';
  readonly command: Command;
  readonly refusal: CommanderError;
  /** The option that stands where a value was expected. */
  readonly next: string | undefined;

  constructor(command: Command, refusal: CommanderError, next?: string) {
    super(refusal.message, { cause: refusal });
    this.command = command;
    this.refusal = refusal;
    this.next = next;
  }
}

/** An option, as the help shows it, whose value is missing; `next` is the token after it. */
export function missingValue(command: Command, flags: string, next?: string): Mistake {
  const refusal = new CommanderError(2, 'commander.optionMissingArgument', `'${flags}'`);
  return new Mistake(command, refusal, next);
}

/** An option that the command does not have. */
export function unknownOption(command: Command, name: string): Mistake {
  const refusal = new CommanderError(2, 'commander.unknownOption', `'${name}'`);
  return new Mistake(command, refusal);
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
