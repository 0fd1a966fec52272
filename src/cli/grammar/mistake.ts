/** A command line that commander refuses, and what cb says about it. */
import type { Command, CommanderError } from 'commander';
import { type Failure, usage } from '../runtime/failure.ts';
import { extraWords } from './extra-words.ts';
import { withoutValue } from './missing-value.ts';
import { commandsBelow, lineOf, looksLikeKey, optionsOf, pathOf } from './say.ts';
import { unknownCommand } from './unknown-command.ts';
import { unknownOption } from './unknown-option.ts';

/** Thrown where a line is parsed; it is explained where the whole tree of commands is at hand. */
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

/** `argv` is the canonical line, and `root` the program with all of its commands. */
export function explain(mistake: Mistake, argv: readonly string[], root: Command): Failure {
  const { code, message } = mistake.refusal;
  const { args } = mistake.command;
  const path = pathOf(mistake.command);
  // The same command, in the tree that has all the others.
  const command = commandsBelow(root).find((one) => pathOf(one) === path) ?? root;
  if (argv.some(looksLikeKey)) return keyTyped();
  // The name that is wrong stands between quotes; commander tells it in no other way.
  const [, named = ''] = /'(.*)'/s.exec(message) ?? [];
  if (code === 'commander.unknownOption') {
    const option = asTyped(named, argv);
    return unknownOption(command, option, valueAfter(option, argv), root);
  }
  if (code === 'commander.optionMissingArgument') return missingValue(command, named);
  if (code === 'commander.missingArgument') return missingArgument(command, named);
  if (command.commands.length > 0) return unknownCommand(command, args, root);
  if (path === 'login') return keyTyped();
  const [first = '', ...others] = args.slice(command.registeredArguments.length);
  return extraWords({ command, extra: [first, ...others], tokens: argv });
}

/** The key is not repeated: an error may be logged. */
function keyTyped(): Failure {
  return usage('No command takes a key, because other users of this machine could read it.', {
    hint: 'Use cb login, and paste the key when it asks for it.',
  });
}

/** commander reads -yes as -y -e -s, and names the rest that it does not know. */
function asTyped(option: string, argv: readonly string[]): string {
  if (option.startsWith('--') || argv.includes(option)) return option;
  const isWhole = (token: string) => /^-\w/.test(token) && token.endsWith(option.slice(1));
  return argv.find(isWhole) ?? option;
}

function valueAfter(option: string, argv: readonly string[]): string | undefined {
  const next = argv[argv.indexOf(option) + 1];
  return option.includes('=') || next?.startsWith('-') ? undefined : next;
}

function missingValue(command: Command, flags: string): Failure {
  const option = optionsOf(command).find((one) => one.flags === flags);
  return withoutValue(option, flags);
}

function missingArgument(command: Command, name: string): Failure {
  const places = command.registeredArguments.map((one) => `<${one.name()}>`).join(' ');
  return usage(`<${name}> is missing.`, { hint: `Use ${lineOf(command)} ${places}.` });
}
