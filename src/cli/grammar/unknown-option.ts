/** Answers an option that a command does not have: with the one that was meant, or with the command that has it. */
import type { Command } from 'commander';
import { catalogue } from '../../operations/index.ts';
import { formatNames } from '../../output/registry.ts';
import { nearest } from '../flags/nearest.ts';
import { type Failure, usage } from '../runtime/failure.ts';
import { filterFor, isPeriod } from './by-form.ts';
import { optionAdvice, otherOptions } from './option-words.ts';
import {
  commandsBelow,
  isNamed,
  isOnlyGroup,
  lineOf,
  oneOf,
  optionsOf,
  pathOf,
  shellWord,
} from './say.ts';

/** `option` as it was typed, perhaps with its value; `value` is the word that follows it. */
export function unknownOption(
  command: Command,
  option: string,
  value: string | undefined,
  root: Command,
): Failure {
  const [name = ''] = option.split(/[=:]/);
  const having = commandsBelow(root).filter((one) => has(one, name));
  if (isOnlyGroup(command)) return needsCommand(command, option, value, having);
  const own = namesOf(command);
  if (own.includes(name) || formatNames().includes(bareName(name))) {
    return wronglyJoined(command, option, name);
  }
  const isElsewhere = having.length > 0;
  const message = isElsewhere
    ? `'${pathOf(command) || 'cb'}' has no ${name}.`
    : `Unknown option '${name}'.`;
  // The command that has it says more than an option that is spelled alike.
  const near = isElsewhere ? undefined : nearestOption(name, own);
  const hint =
    meantOption(name, own, value) ??
    valueTyped(command, name) ??
    near ??
    needless(command, name) ??
    placeHint(command, name, value, root);
  return usage(message, { hint });
}

/** --today and --refunds: a value in the place of its option. */
function valueTyped(command: Command, name: string): string | undefined {
  const meant = filterFor(command, bareName(name));
  return meant && `Did you mean ${meant}?`;
}

/** Permission to write, and its rehearsal, where nothing is written. */
function needless(command: Command, name: string): string | undefined {
  const bare = bareName(name);
  const path = pathOf(command);
  if (!['yes', 'y', 'dry-run', 'force'].includes(bare) || path === 'tickets refund')
    return undefined;
  if (path === 'approve') return 'Leave it out: a person must answer in a terminal.';
  const isRead = catalogue.some((one) => one.command === path && one.method === 'GET');
  if (isRead) return `Leave it out: '${path}' changes nothing.`;
  return bare === 'dry-run' ? undefined : `Leave it out: '${path}' does not ask for confirmation.`;
}

/** --raw=true, --csv=orders.csv, and --limit:3 for --limit 3. */
function wronglyJoined(command: Command, option: string, name: string): Failure {
  const takesValue = optionsOf(command).some((one) => isNamed(one, name) && one.required);
  const value = shellWord(option.slice(name.length + 1));
  if (!takesValue) {
    const file = namesOf(command).includes('--out') && value.includes('.') ? ` --out ${value}` : '';
    return usage(`${name} takes no value.`, { hint: `Did you mean ${name}${file}?` });
  }
  const right = `${name} ${value}`;
  return usage(`Unknown option '${option}'.`, { hint: `Did you mean ${right}?` });
}

function has(command: Command, name: string): boolean {
  return command.options.some((one) => isNamed(one, name));
}

function namesOf(command: Command): string[] {
  const shown = optionsOf(command).filter(({ hidden }) => !hidden);
  return [...shown.flatMap(({ long, short }) => [long ?? [], short ?? []].flat()), '--help', '-h'];
}

/** By other words for an option. They come first, since a word that is similar may mean something else. */
function meantOption(name: string, own: readonly string[], value = ''): string | undefined {
  const bare = bareName(name);
  const meant = meantBy(name, own);
  if (Object.hasOwn(optionAdvice, bare) && meant.length === 0) return optionAdvice[bare];
  const [only] = meant;
  const period = /^(days?|last)$/.test(bare) && /^\d+$/.test(value) ? `last-${value}-days` : value;
  if (only?.endsWith('period') && isPeriod(period)) return `Did you mean ${only} ${period}?`;
  if (meant.length === 1) return `Did you mean ${only}?`;
  return meant.length > 1 ? `Use ${oneOf(meant.slice(0, 3))}.` : undefined;
}

function nearestOption(name: string, own: readonly string[]): string | undefined {
  const bare = bareName(name);
  // Capitals, as in -Y.
  const near = bare.length > 1 ? nearest(`--${bare}`, own) : own.find((one) => one === `-${bare}`);
  return near && `Did you mean ${near}?`;
}

/** The options that other words for them name. */
function meantBy(name: string, own: readonly string[]): string[] {
  return own.filter((one) => otherOptions[one]?.split(' ').includes(bareName(name)));
}

function bareName(name: string): string {
  return name.replace(/^-+/, '').toLowerCase().replaceAll('_', '-');
}

/** Where the option is, or what the command takes instead. */
function placeHint(
  command: Command,
  name: string,
  value: string | undefined,
  root: Command,
): string {
  const group = commandsBelow(root).filter((one) => one.parent === command.parent);
  const taking = [command, ...group.filter((one) => one.name() === 'get')].find((one) =>
    takesAsArgument(one, name),
  );
  if (taking) {
    const place =
      value === undefined ? `<${taking.registeredArguments[0]?.name()}>` : shellWord(value);
    return `Did you mean ${lineOf(taking)} ${place}?`;
  }
  const all = `Use ${lineOf(command)} --help to list its options.`;
  for (const one of [...group, ...commandsBelow(root)]) {
    const [real] = has(one, name) ? [name] : group.includes(one) ? meantBy(name, namesOf(one)) : [];
    if (real) return `Use ${real} with ${lineOf(one)}. ${all}`;
  }
  return all;
}

/** --receipt for <receipt>, and --id for whatever a command is about. */
function takesAsArgument({ registeredArguments }: Command, name: string): boolean {
  const [argument] = registeredArguments;
  const names = ['receipt', 'id', 'sku'].includes(argument?.name() ?? '') ? ['id'] : [];
  return argument !== undefined && [...names, argument.name()].includes(bareName(name));
}

/** An option of commands, typed without any. */
function needsCommand(
  group: Command,
  option: string,
  value: string | undefined,
  having: readonly Command[],
): Failure {
  const below = commandsBelow(group);
  const [first] = having.filter((one) => below.includes(one));
  if (!first) {
    const [name = ''] = option.split('=');
    const own = namesOf(group);
    const meant = meantOption(name, own) ?? nearestOption(name, own);
    const hint = meant ?? `Use ${lineOf(group)} --help to list what there is.`;
    return usage(`Unknown option '${name}'.`, { hint });
  }
  const rest = [option, ...(value === undefined ? [] : [shellWord(value)])].join(' ');
  return usage(`${option.split('=')[0]} needs a command before it.`, {
    hint: `Did you mean ${lineOf(first)} ${rest}?`,
  });
}
