/** Answers words that a command has no place for: why they may be there, and how to type them. */
import type { Command, Option } from 'commander';
import { parsePeriod } from '../../dates/periods.ts';
import { catalogue } from '../../operations/index.ts';
import { formatNames } from '../../output/registry.ts';
import { type Failure, usage } from '../runtime/failure.ts';
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
  const { why, hint } = reasonFor(words) ?? {};
  return usage(
    `Unexpected ${extra.length === 1 ? 'word' : 'words'} ${quoted}: ${why ?? `'${pathOf(command)}' takes ${what}`}.`,
    { hint: hint ?? `Use ${lineOf(command)} --help to list its options.` },
  );
}

interface Reason {
  readonly why?: string;
  readonly hint: string;
}

function reasonFor(words: ExtraWords): Reason | undefined {
  const option = optionBefore(words);
  const [first] = words.extra;
  const mean = (line: string, why?: string): Reason => ({
    hint: `Did you mean ${line}?`,
    ...(why && { why }),
  });
  if (option && (option.value.endsWith(',') || first.startsWith(','))) {
    const list = [option.value, ...words.extra].join('').replace(/,+/g, ',');
    return mean(`${option.name} ${shellWord(list)}`, 'a list is written without spaces');
  }
  const named = optionTyped(words);
  if (named) return mean(named, 'the dashes of an option are missing');
  const meant = optionFor(words.command, first);
  if (meant && option && meant.startsWith(`${option.name} `)) {
    return mean(`${option.name} ${option.value},${first}`, 'a list is written with commas');
  }
  if (meant) return mean(meant);
  const name = switchBefore(words);
  if (name) return { hint: `Leave out '${first}'.`, why: `${name} takes no value` };
  if (!option) return undefined;
  const whole = shellWord([option.value, ...words.extra].join(' '));
  return mean(`${option.name} ${whole}`, 'a value with a space needs quotes');
}

/** The option whose value stands right before the first extra word. */
function optionBefore({ command, extra, tokens }: ExtraWords) {
  const at = tokens.indexOf(extra[0]);
  const [, joined, text] = /^(--[\w-]+)=(.*)$/s.exec(tokens[at - 1] ?? '') ?? [];
  const name = joined ?? tokens[at - 2] ?? '';
  const option = optionsOf(command).find((one) => isNamed(one, name));
  const value = text ?? tokens[at - 1];
  return option?.required && value !== undefined ? { name: option.long ?? name, value } : undefined;
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
  const [word, value] = /[=:]/.test(first) ? split(first) : [first, second];
  const option = optionNamed(command, word.toLowerCase());
  if (option?.required) {
    return `${option.long} ${value === undefined ? `<${placeOf(option)}>` : shellWord(value)}`;
  }
  return value === undefined ? option?.long : undefined;
}

function split(word: string): readonly [string, string] {
  const at = word.search(/[=:]/);
  return [word.slice(0, at), word.slice(at + 1)];
}

function placeOf({ flags }: Option): string {
  return /<([^>]*)>/.exec(flags)?.[1] ?? 'value';
}

function optionNamed(command: Command, word: string): Option | undefined {
  const own = optionsOf(command).filter(({ long }) => long !== undefined);
  const isOther = ({ long = '' }: Option) => otherOptions[long]?.split(' ').includes(word);
  return (
    own.find(({ long }) => long === `--${word}`) ??
    (word.length > 1 ? own.find(isOther) : undefined)
  );
}

/** By its form: a kind, a period, a format, an email address, a receipt. */
function optionFor(command: Command, word: string): string | undefined {
  const small = word.toLowerCase();
  const has = (name: string) => optionsOf(command).some(({ long }) => long === name);
  if (formatNames().includes(small) && has('--output')) return `-o ${small}`;
  const choice = choiceFor(command, small);
  if (choice) return choice;
  const period = ['--period', '--create-period'].find(has);
  if (period && parsePeriod(word, '2026-01-01')) return `${period} ${small}`;
  if (/^[a-z][\w.]*(,[a-z][\w.]*)+$/i.test(word) && has('--fields')) return `--fields ${word}`;
  if (/^\S+@\S+\.\S+$/.test(word) && has('--email')) return `--email ${shellWord(word)}`;
  if (!/^(?=.*\d)[A-Z0-9]{8,}(-[A-Z]\d{3})?$/i.test(word)) return undefined;
  if (has('--receipt')) return `--receipt ${word}`;
  return pathOf(command) === 'orders list' ? `cb orders get ${word}` : undefined;
}

/** A value of the catalogue, or the word for it: refund for RFND. */
function choiceFor(command: Command, word: string): string | undefined {
  const path = pathOf(command);
  const operations = catalogue.filter((one) => one.command.split(' --')[0] === path);
  for (const [name, param] of operations.flatMap(({ params }) => Object.entries(params))) {
    const option = command.options.find((one) => one.attributeName() === name);
    const found = Object.entries(param.values ?? {}).find(([value, meaning]) =>
      [value.toLowerCase(), meaning, `${meaning}s`].includes(word),
    );
    if (option && found) return `${option.long} ${found[0]}`;
  }
  return undefined;
}
