/**
 * Rules about the tokens as they were typed; nothing here changes them. commander reads the options of the program before
 * those of the command, so that it would take the token after the next one for the value of an option that lacks its own.
 */
import type { Command } from 'commander';
import { formatNames } from '../../output/registry.ts';
import { helpTextOf } from '../help/help-text.ts';
import { commonFlags } from '../runtime/argv.ts';
import { usage } from '../runtime/failure.ts';
import { missingValue, unknownOption } from './mistake.ts';
import { isNamed, optionsOf, shellWord } from './say.ts';
import { acceptedOptions } from './words.ts';

/**
 * What commander gets: the canonical line of a command that only reads, and the line as typed, after aliases, of one that
 * writes. Throws a Mistake or a usage failure for a line that could be read in two ways.
 */
export function tokensToParse(
  typed: readonly string[],
  canonical: readonly string[],
  program: Command,
): readonly string[] {
  const command = commandIn(canonical, program);
  refuseMissingValues(typed, command);
  return isWrite(command) ? asTyped(typed, canonical, command) : canonical;
}

/** The command that a canonical line names; the program itself if it names none. */
function commandIn(argv: readonly string[], program: Command): Command {
  const [word, ...rest] = argv;
  const next = program.commands.find((command) => command.name() === word);
  return next ? commandIn(rest, next) : program;
}

/**
 * Throws a Mistake if the token after an option that needs a value is another option or `--`: `--comment=--json` is the
 * way to type such a value.
 */
function refuseMissingValues(typed: readonly string[], command: Command): void {
  const options = optionsOf(command);
  const tokens = untilEnd(typed);
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? '';
    const option = options.find((one) => isNamed(one, acceptedOptions.get(token) ?? token));
    if (!option?.required) continue;
    const next = typed[at + 1];
    if (next === undefined || next === '--' || isOption(next, command)) {
      throw missingValue(command, option.flags, next);
    }
    at++;
  }
}

/** An option of the command or of cb, perhaps with its value attached: `--limit=5`, `-n5`, `-ojson`. */
function isOption(token: string, command: Command): boolean {
  const [name = ''] = token.split('=');
  if (['-h', '--help', '-V', '--version'].includes(name)) return true;
  if (formatNames().some((format) => token === `-${format}` || token === `--${format}`))
    return true;
  const short = /^-[A-Za-z]/.test(token) ? token.slice(0, 2) : name;
  const accepted = acceptedOptions.get(/^-n=?\d/.test(token) ? '-n' : name);
  if (accepted || [...acceptedOptions.values()].includes(name)) return true;
  const names = [name, short];
  return optionsOf(command).some((option) => names.some((one) => isNamed(option, one)));
}

const writeRoles: readonly string[] = [
  ...(['api_order_write', 'api_subscription_modifications', 'api_products_client'] as const),
];

/** Whether the command changes something at ClickBank, or deletes something on this computer. */
export function isWrite(command: Command): boolean {
  const { effect = 'reads', roles = [] } = helpTextOf(command);
  if (effect === 'writes') return roles.some((role) => writeRoles.includes(role));
  return effect === 'destroys';
}

/**
 * Returns the tokens of a command that writes. Throws a usage failure if it was not typed as the help spells
 * it: only a line that reads runs under another spelling. Options of cb may stand anywhere.
 */
function asTyped(
  typed: readonly string[],
  canonical: readonly string[],
  command: Command,
): readonly string[] {
  const own = typed[0] === 'cb' ? typed.slice(1) : typed;
  if (withoutCommon(own).join('\0') === withoutCommon(canonical).join('\0')) return own;
  const options = optionsOf(command);
  const unknown = untilEnd(canonical).find(
    (token) =>
      /^--./.test(token) && !options.some((one) => isNamed(one, token.split('=')[0] ?? '')),
  );
  if (unknown) throw unknownOption(command, unknown);
  throw usage('A command that writes or deletes must be typed exactly.', {
    hint: `Nothing was sent. Did you mean cb ${canonical.map(shellWord).join(' ')}?`,
  });
}

const valued = commonFlags.filter(([flags]) => flags.includes('<')).map(([flags]) => flags);

/** The tokens without the options of cb and their values. */
function withoutCommon(tokens: readonly string[]): readonly string[] {
  const end = untilEnd(tokens).length;
  return tokens.filter((token, at) => {
    if (at >= end) return true;
    const before = at > 0 && namesOf(valued).includes(tokens[at - 1] ?? '');
    return !before && !isCommon(token);
  });
}

function isCommon(token: string): boolean {
  const [name = ''] = token.split('=');
  const isLong = namesOf(commonFlags.map(([flags]) => flags)).includes(name);
  return isLong || /^-o./.test(token) || formatNames().some((format) => token === `--${format}`);
}

function namesOf(flags: readonly string[]): string[] {
  return flags.flatMap((one) => one.match(/--?[\w-]+/g) ?? []);
}

/** Where the first word stands if only options of cb and their values stand before it: a command, or an alias. */
export function firstWordAt(typed: readonly string[]): number | undefined {
  for (let at = 0; at < untilEnd(typed).length; at++) {
    const token = typed[at] ?? '';
    if (!/^-./.test(token)) return at;
    if (!isCommon(token)) return undefined;
    if (namesOf(valued).includes(token)) at++;
  }
  return undefined;
}

function untilEnd(tokens: readonly string[]): readonly string[] {
  return tokens.includes('--') ? tokens.slice(0, tokens.indexOf('--')) : tokens;
}
