/** Answers words that a command has no place for: why they may be there, and how to type them. */
import type { Command, Option } from 'commander';
import { type Failure, usage } from '../runtime/failure.ts';
import { isDate, isPeriod, isReceipt, optionFor, optionNamed } from './by-form.ts';
import { otherOptions } from './option-words.ts';
import { isNamed, lineOf, optionsOf, pathOf, shellWord } from './say.ts';

/** A command line with words too many: `extra` are those, in `tokens` as typed. */
export interface ExtraWords {
  readonly command: Command;
  readonly extra: readonly [string, ...string[]];
  readonly tokens: readonly string[];
}

export function extraWords(words: ExtraWords): Failure {
  const { command, extra } = words;
  const quoted = extra.map((word) => `'${word}'`).join(' ');
  const takes = command.registeredArguments.map((argument) => `<${argument.name()}>`);
  const what = takes.length > 0 ? `only ${takes.join(' ')}` : 'no arguments';
  const { why, hint } = valueGoesOn(words) ?? wordMeant(words) ?? {};
  return usage(
    `Unexpected ${extra.length === 1 ? 'word' : 'words'} ${quoted}: ${why ?? `'${pathOf(command)}' takes ${what}`}.`,
    { hint: hint ?? `Use ${lineOf(command)} --help to list its options.` },
  );
}

interface Reason {
  readonly why?: string;
  readonly hint: string;
}

function mean(line: string, why?: string): Reason {
  return { hint: `Did you mean ${line}?`, ...(why && { why }) };
}

/** The words belong to the value right before them. */
function valueGoesOn(words: ExtraWords): Reason | undefined {
  const option = optionBefore(words);
  if (!option) return undefined;
  const { command, extra } = words;
  const { name, value, place, isList } = option;
  const [first] = extra;
  const spaced = [value, ...extra].join(' ').trim();
  if (value === '') return mean(`${name} ${spaced}`, 'there is a space after =');
  if (accepts[place]?.(spaced)) {
    return mean(`${name} ${shellWord(spaced)}`, 'a value with a space needs quotes');
  }
  if (place === 'time' && /^\d+ (ms|s|m|h|d)$/.test(spaced)) {
    return mean(`${name} ${value}${first}`, 'there is a space before the unit');
  }
  const list = [value, ...extra].join(',').replace(/,+/g, ',');
  if (value.endsWith(',') || first.startsWith(',')) {
    return mean(`${name} ${shellWord(list)}`, 'a list is written without spaces');
  }
  if (name === '--sort' && /^(asc|desc)/.test(first)) {
    return mean(`${name} ${value}:${first}`, 'the order follows a colon');
  }
  const isField = place === 'fields' && /^[a-z][\w.]*$/i.test(first);
  const isAnother = isList && optionFor(command, first)?.startsWith(`${name} `);
  if (isField || isAnother) {
    return mean(`${name} ${value},${first}`, 'a list is written with commas');
  }
  const days = accepts[place] && betweenDays(command, [value, ...extra]);
  return days ? mean(days) : undefined;
}

/** By the place of a value in the help: whether words are one value. */
const accepts: Readonly<Record<string, (words: string) => boolean>> = {
  date: isDate,
  period: isPeriod,
};

/** The first of the words has a meaning of its own. */
function wordMeant(words: ExtraWords): Reason | undefined {
  const { command, extra } = words;
  const [first] = extra;
  const whole = inPeriod(words);
  if (whole) return mean(whole);
  const named = optionTyped(words);
  if (named) return mean(named, 'the dashes of an option are missing');
  const file = extra
    .map((word) => optionFor(command, word))
    .find((one) => /^--out /.test(one ?? ''));
  const meant = file ?? optionFor(command, first);
  const option = optionBefore(words);
  if (meant && !meant.startsWith(`${option?.name} `)) return mean(meant);
  if (pathOf(command) === 'orders list' && extra.every(isReceipt)) {
    return mean(`cb orders get ${extra.join(' ')}`);
  }
  const name = switchBefore(words);
  if (name) return { hint: `Leave out '${first}'.`, why: `${name} takes no value` };
  if (option && /^(text%?|name|file)$/.test(option.place) && !option.value.includes('@')) {
    const text = [option.value, ...extra].join(' ');
    return mean(`${option.name} ${shellWord(text)}`, 'a value with a space needs quotes');
  }
  return option ? undefined : customer(words);
}

/** `last 7 days`, or two days. */
function inPeriod({ command, extra }: ExtraWords): string | undefined {
  const whole = extra.length > 1 ? extra.join(' ') : '';
  if (isPeriod(whole)) return optionFor(command, whole);
  return betweenDays(command, extra);
}

/** As in `from yesterday to today`. */
function betweenDays(command: Command, words: readonly string[]): string | undefined {
  const [first = '', last = '', more] = words.filter(
    (word) => !/^(from|to|until|and|-)$/.test(word),
  );
  const isPair = isDate(first) && isDate(last) && more === undefined;
  if (!isPair || !optionNamed(command, '--start-date')) return undefined;
  return `--start-date ${shellWord(first)} --end-date ${shellWord(last)}`;
}

/** A name that was typed to search for it. */
function customer({ command, extra: [name, other] }: ExtraWords): Reason | undefined {
  const isName = other === undefined && /^\p{L}[\p{L}'-]*$/u.test(name);
  if (!isName || !optionNamed(command, '--last-name') || !optionNamed(command, '--email')) {
    return undefined;
  }
  const ways = [`--last-name ${shellWord(name)}`, `--email '%${name}%'`];
  return { hint: `To find a customer, use ${ways.join(' or ')}.` };
}

/** The option whose value stands right before the first extra word. */
function optionBefore({ command, extra, tokens }: ExtraWords) {
  const at = tokens.indexOf(extra[0]);
  const [, joined, text] = /^(--[\w-]+)=(.*)$/s.exec(tokens[at - 1] ?? '') ?? [];
  const name = joined ?? tokens[at - 2] ?? '';
  const option = optionsOf(command).find((one) => isNamed(one, name));
  const value = text ?? tokens[at - 1];
  if (!option?.required || value === undefined) return undefined;
  const place = placeOf(option);
  return { name: option.long ?? name, value, place, isList: option.parseArg !== undefined };
}

/** The option without a value that stands right before the first extra word. */
function switchBefore({ command, extra, tokens }: ExtraWords): string | undefined {
  const before = tokens[tokens.indexOf(extra[0]) - 1] ?? '';
  if (/^--output=/.test(before)) return before.replace('output=', '');
  const option = optionsOf(command).find((one) => isNamed(one, before));
  return option && !option.required && !option.optional ? before : undefined;
}

/** An option as it should be typed, if the first extra word is its name. */
function optionTyped({ command, extra }: ExtraWords): string | undefined {
  const [first, second] = extra;
  const [, before = first, after = second] = /^([^=:]*)[=:](.*)$/s.exec(first) ?? [];
  const option = optionCalled(command, before.toLowerCase());
  if (option?.required) {
    return `${option.long} ${after === undefined ? `<${placeOf(option)}>` : shellWord(after)}`;
  }
  return after === undefined ? option?.long : undefined;
}

function placeOf({ flags }: Option): string {
  return /<([^>]*)>/.exec(flags)?.[1] ?? 'value';
}

function optionCalled(command: Command, word: string): Option | undefined {
  const isOther = ({ long = '' }: Option) => otherOptions[long]?.split(' ').includes(word);
  return (
    optionNamed(command, `--${word}`) ??
    (word.length > 1 ? optionsOf(command).find(isOther) : undefined)
  );
}
