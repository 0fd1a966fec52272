/** What a word means by its form: a receipt, a ticket, a period, a kind of transaction, a file. */
import type { Command, Option } from 'commander';
import { parsePeriod } from '../../dates/periods.ts';
import { parseDay } from '../../dates/words.ts';
import { catalogue } from '../../operations/index.ts';
import { formatNames } from '../../output/registry.ts';
import { valuesMeant } from '../flags/period-synonyms.ts';
import { optionsOf, pathOf, shellWord } from './say.ts';

/** Any day: only whether a text is a day or a period counts here. */
const someDay = '2026-01-01';

export function isReceipt(word: string): boolean {
  return /^(?=.*\d)(?!\d+$)[A-Z0-9]{8,}(-[A-Z]\d{3})?$/i.test(word);
}

export function isTicket(word: string): boolean {
  return /^\d{1,12}$/.test(word);
}

export function isPeriod(words: string): boolean {
  return parsePeriod(words, someDay) !== undefined;
}

export function isDate(words: string): boolean {
  return parseDay(words, someDay) !== undefined;
}

/** The command that a word typed after a group, or after `cb`, is most likely meant for. */
export function commandOn(word: string, path: string): string | undefined {
  const isAnywhere = path === '';
  if (path === 'export' && isPeriod(word)) return 'export month';
  if (isTicket(word)) return isAnywhere || path === 'tickets' ? 'tickets get' : undefined;
  if (isReceipt(word)) {
    if (isAnywhere || path === 'orders') return 'orders get';
    return path.startsWith('ship') ? 'ship notice list' : undefined;
  }
  if (isAnywhere && /^\/(rest\/)?1\.3\//.test(word)) return 'api get';
  return path === 'products' && /^[A-Z0-9]+-[A-Z0-9-]+$/.test(word) ? 'products get' : undefined;
}

/** The option that a word without one is most likely the value of, with the word. */
export function optionFor(command: Command, word: string): string | undefined {
  const small = word.toLowerCase();
  const has = (name: string) => optionNamed(command, name) !== undefined;
  if (formatNames().includes(small) && has('--output')) return `-o ${small}`;
  const filter = filterFor(command, word);
  if (filter) return filter;
  if (/^[^=]+\.(json|ndjson|csv|tsv|xml)$/i.test(word) && has('--out')) return `--out ${word}`;
  if (/^-?[1-9]\d{0,5}$/.test(word) && has('--limit')) return `--limit ${word.replace('-', '')}`;
  if (/^[a-z][\w.]*(,[a-z][\w.]*)+$/i.test(word) && has('--fields')) return `--fields ${word}`;
  if (/^\S+@\S+\.\S+$/.test(word) && has('--email')) return `--email ${shellWord(word)}`;
  return isReceipt(word) && has('--receipt') ? `--receipt ${word}` : undefined;
}

/** A value of the catalogue, or a time. */
export function filterFor(command: Command, words: string): string | undefined {
  return choiceFor(command, words) ?? periodFor(command, words) ?? dateFor(command, words);
}

function periodFor(command: Command, words: string): string | undefined {
  const option = ['--period', '--create-period'].find((name) => optionNamed(command, name));
  return option && isPeriod(words) ? `${option} ${shellWord(words.toLowerCase())}` : undefined;
}

/** Of a command with only one date. */
function dateFor(command: Command, words: string): string | undefined {
  const [date, other] = command.options.filter(({ flags }) => flags.endsWith('<date>'));
  return date && !other && isDate(words) ? `${date.long} ${shellWord(words)}` : undefined;
}

function choiceFor(command: Command, word: string): string | undefined {
  const path = pathOf(command);
  const operations = catalogue.filter((one) => one.command.split(' --')[0] === path);
  for (const [name, param] of operations.flatMap(({ params }) => Object.entries(params))) {
    const option = command.options.find((one) => one.attributeName() === name);
    const [found] = param.coded ? [] : valuesMeant(param, word, param.values ?? {});
    if (option && found) return `${option.long} ${found}`;
  }
  return undefined;
}

export function optionNamed(command: Command, long: string): Option | undefined {
  return optionsOf(command).find((option) => option.long === long);
}
