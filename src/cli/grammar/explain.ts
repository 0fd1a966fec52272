/** What cb says about a mistake: what is wrong, and what to type. Loaded only when there is one. */
import type { Command } from 'commander';
import { type Failure, usage } from '../runtime/failure.ts';
import { extraWords } from './extra-words.ts';
import { type Mistake, Unclear } from './mistake.ts';
import {
  commandsBelow,
  isOnlyGroup,
  lineOf,
  looksLikeKey,
  optionsOf,
  pathOf,
  shellWord,
} from './say.ts';
import { unclear, unknownCommand } from './unknown-command.ts';
import { unknownOption } from './unknown-option.ts';
import { acceptedOptions } from './words.ts';

/** A line before and after canonicalArgv. */
export interface Line {
  readonly typed: readonly string[];
  readonly argv: readonly string[];
}

/** `build` makes the program with all of its commands. */
export function explain(wrong: Mistake | Unclear, line: Line, build: () => Command): Failure {
  return wrong instanceof Unclear ? unclear(wrong) : refused(wrong, line, build());
}

function refused({ command: parsed, refusal, next }: Mistake, line: Line, root: Command): Failure {
  const { argv } = line;
  const { args } = parsed;
  const path = pathOf(parsed);
  // The same command, in the tree that has all the others.
  const command = commandsBelow(root).find((one) => pathOf(one) === path) ?? root;
  if (argv.some(looksLikeKey)) return keyTyped();
  if (path.startsWith('ins') && argv.some((word) => isSecretFor(path, word))) return secretTyped();
  if (path === 'alias set' && args.length > 2) return withoutQuotes(args, argv);
  // The name that is wrong stands between quotes; commander tells it in no other way.
  const [, named = ''] = /'(.*)'/s.exec(refusal.message) ?? [];
  if (refusal.code === 'commander.unknownOption') {
    const option = asTyped(named, line);
    return unknownOption(command, option, valueAfter(named, argv), root);
  }
  if (refusal.code === 'commander.optionMissingArgument') return withoutValue(command, named, next);
  if (refusal.code === 'commander.missingArgument') return withoutArgument(command, named, args);
  if (isOnlyGroup(command)) return unknownCommand(command, args, root);
  const [first = '', ...others] = args.slice(command.registeredArguments.length);
  // Keys are written in capitals.
  if (/^(login|logout|whoami)$/.test(path) && /^[a-z][a-z0-9_-]{0,15}$/.test(first)) {
    return usage(`'${path}' takes no arguments.`, {
      hint: `Did you mean cb ${path} --profile ${first}?`,
    });
  }
  if (path === 'login') return keyTyped();
  return extraWords({ command, extra: [first, ...others], tokens: argv });
}

/** The key is not repeated: an error may be logged. */
function keyTyped(): Failure {
  return usage('No command takes a key, because other users of this machine could read it.', {
    hint: 'Use cb login, and paste the key when it asks for it.',
  });
}

/** Secrets of notifications are capital letters and digits, as no name of a secret is. */
function isSecretFor(path: string, word: string): boolean {
  if (/^--secret(?:-key)?(?:=|$)/.test(word)) return true;
  return path.startsWith('ins secrets') && /^(?:--?[\w-]+=)?[A-Z0-9]{4,16}$/.test(word);
}

function secretTyped(): Failure {
  return usage('No command takes a secret, because other users of this machine could read it.', {
    hint: 'Use cb ins secrets add, and paste the secret when it asks for it, or set CB_INS_SECRET.',
  });
}

/** `alias set week orders list --limit 3`. */
function withoutQuotes([name = '']: readonly string[], argv: readonly string[]): Failure {
  const line = argv.slice(argv.indexOf(name, 2) + 1).join(' ');
  return usage('The command of an alias needs quotes.', {
    hint: `Did you mean cb alias set ${name} ${shellWord(line)}?`,
  });
}

/** commander reads -yes as -y -e -s, and names the rest that it does not know. */
function asTyped(option: string, { typed, argv }: Line): string {
  const accepted = [...acceptedOptions].find(([, meant]) => meant === option)?.[0];
  if (accepted && !typed.includes(option) && typed.includes(accepted)) return accepted;
  if (option.startsWith('--') || argv.includes(option)) return option;
  const isWhole = (token: string) => /^-\w/.test(token) && token.endsWith(option.slice(1));
  return argv.find(isWhole) ?? option;
}

function valueAfter(option: string, argv: readonly string[]): string | undefined {
  const next = argv[argv.indexOf(option) + 1];
  return option.includes('=') || next?.startsWith('-') ? undefined : next;
}

/** By the place of a value in the help: a value that every such option takes. */
const examples: Readonly<Record<string, string>> = {
  n: '10',
  date: '2026-03-01',
  period: 'last-7-days',
  time: '30s',
  zone: 'America/New_York',
  format: 'csv',
  file: 'orders.csv',
  name: 'shop',
  amount: '19.90',
};

/** `flags` is the option as the help shows it. */
function withoutValue(command: Command, flags: string, next: string | undefined): Failure {
  const option = optionsOf(command).find((one) => one.flags === flags);
  const name = option?.long ?? flags;
  const [, place = 'value'] = /<(.*)>/.exec(flags) ?? [];
  const values = Object.keys(option?.param?.values ?? {});
  const example = values[0] ?? examples[place];
  const more = example ? `, for example ${name} ${example}` : '';
  const asValue = next ? ` If ${next} is the value, type ${name}=${next}.` : '';
  return usage(`${name} needs a value.`, { hint: `Use ${name} <${place}>${more}.${asValue}` });
}

function withoutArgument(command: Command, name: string, args: readonly string[]): Failure {
  const takes = command.registeredArguments;
  const [first = ''] = args;
  // As in `config set pace=5`.
  const [, key = '', value = ''] = /^([\w-]+)=(.+)$/s.exec(first) ?? [];
  const isJoined = key !== '' && args.length === 1 && takes.length === 2;
  const hint = isJoined
    ? `Did you mean ${lineOf(command)} ${key} ${shellWord(value)}?`
    : `Use ${lineOf(command)} ${takes.map((one) => `<${one.name()}>`).join(' ')}.`;
  return usage(`<${name}> is missing.`, { hint });
}
