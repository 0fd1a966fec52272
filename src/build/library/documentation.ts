/** The documentation of methods, arguments and fields in the types of the library, from the catalogue. */
import type { Operation, Param } from '../../operations/operation.ts';
import type { Field, Named, Resource } from '../../operations/resource.ts';

/** A comment before a declaration; each paragraph is one line or more. */
export function commentOf(paragraphs: readonly string[], indent = ''): string {
  const given = paragraphs.filter(Boolean);
  if (given.length === 0) return '';
  const lines = given
    .join('\n\n')
    .replaceAll('*/', '* /')
    .split('\n')
    .map((line) => `${indent} * ${line}`.trimEnd());
  const [only] = lines;
  if (lines.length === 1 && only) return `${indent}/**${only.slice(indent.length + 2)} */\n`;
  return `${indent}/**\n${lines.join('\n')}\n${indent} */\n`;
}

export function operationComment(operation: Operation, isSafe: boolean): string[] {
  const { summary, roles, returns, refusals = {} } = operation;
  const isWrite = !['GET', 'HEAD'].includes(operation.method);
  const meanings = Object.entries(refusals).map(([status, means]) => `${status} means: ${means}.`);
  const answer =
    returns.kind === 'answer' ? ` True means ${returns.yes}, false ${returns.no}.` : '';
  // Without what applies only to a command line.
  const what = summary
    .replaceAll(/ \((?:exit code )?\d\)/g, '')
    .replace(/^Print (?=the XML Schema)/, 'Return ');
  const needs = roles.length > 0 ? ` Required permissions of the key: ${roles.join(', ')}.` : '';
  return [
    `${sentenceOf(what)}${answer}`,
    `\`${operation.method} /rest${operation.path}\`.${needs}`,
    isSafe
      ? 'Looks first, is sent once, and is read back if the response is lost. Throws no ApiError.'
      : isWrite
        ? 'Sent once and never retried. The same method of `safe` plans the write first and verifies it.'
        : '',
    [isSafe ? '' : 'Throws an ApiError.', ...meanings.map((one) => `Status ${one}`)]
      .join(' ')
      .trim(),
  ];
}

const paramUnits: Readonly<Partial<Record<Param['kind'], string>>> = {
  date: 'A Pacific day, `yyyy-mm-dd`.',
  decimal: "A number as text, such as '19.90'.",
};

export function paramComment(param: Param, { returns }: Operation): string[] {
  const { summary, kind, pattern, fallback, min, max, range } = param;
  const facts = [
    sentenceOf(summary.replace(/, separated by commas| \(see cb [^)]*\)/, '')),
    paramUnits[kind],
    (min !== undefined || max !== undefined) && `${rangeOf(min, max)}.`,
    param.repeatable && 'Several values are allowed.',
    param.splits && returns.kind === 'pages' && 'Several values are several requests.',
    param.future && 'In the future.',
    pattern && `Must be ${pattern.says}.`,
    param.wildcard && '`%` stands for any characters.',
    range?.maxDays && `A longer period than ${range.maxDays} days is read in parts.`,
    fallback && `Default: ${fallback}.`,
  ];
  const meanings = Object.entries(param.values ?? {}).filter(([, meaning]) => meaning !== '');
  const list = meanings.map(([value, meaning]) => `- \`${value}\`: ${meaning}`).join('\n');
  return [facts.filter(Boolean).join(' '), list];
}

function rangeOf(min: number | undefined, max: number | undefined): string {
  if (max === undefined) return `At least ${min}`;
  return min === undefined ? `At most ${max}` : `From ${min} to ${max}`;
}

const identities: Readonly<Record<Named, string>> = {
  receipt: 'Receipt of the order',
  ticket: 'Ticket ID',
  sku: 'SKU of the product',
  account: 'Nickname of the account',
  image: 'Image ID',
};

/** `resource` is the row that the field is in; `meaning` one sentence without a period, if there is a description. */
export function fieldComment(
  name: string,
  field: Field,
  resource: Resource,
  meaning: string | undefined,
): string {
  const { heading, values = [], names, spelling, kind } = field;
  const plain = names ? identities[names] : (heading ?? wordsOf(spelling ?? name));
  const title = meaning === undefined ? plain : inWordsOf(meaning, resource);
  const isSaid = values.every((value) => title.includes(value));
  const hasCurrency = kind !== 'decimal' || /\bin (?:US dollars|the currency|`)/.test(title);
  const parts = [
    sentenceOf(title),
    hasCurrency ? '' : currencyOf(name, resource),
    units[kind] ?? '',
    spelling ? 'The service misspells the name.' : '',
    isSaid ? '' : `Known values: ${values.join(', ')}; there may be others.`,
  ];
  return parts.filter(Boolean).join(' ');
}

const units: Readonly<Partial<Record<Field['kind'], string>>> = {
  time: 'ISO 8601 with the Pacific offset.',
  day: 'The time stands for its whole day, in Pacific time.',
  decimal: 'Digits as sent.',
};

function currencyOf(name: string, { element, fields }: Resource): string {
  if (element === 'quickstatsData' || /^usd/i.test(name)) return 'In US dollars.';
  // Their meanings say what is disputed.
  if (/^(?:orderData|lineItemData)$/.test(element)) return '';
  if (!/amount|price|value|sale/i.test(name) || /count|cnt/i.test(name)) return '';
  const currency = ['currency', 'currencyCode'].find((one) => Object.hasOwn(fields, one));
  return currency ? `In \`${currency}\`.` : '';
}

/** The copy names its columns in another way. */
function inWordsOf(meaning: string, { fields }: Resource): string {
  const currency = Object.hasOwn(fields, 'currency') ? '`currency`' : 'the currency of the order';
  return meaning
    .replace('in currency', `in ${currency}`)
    .replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => `\`${name.replaceAll(/_(\w)/g, upper)}\``);
}

const upper = (_: string, letter: string) => letter.toUpperCase();

function wordsOf(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replaceAll(
      /([a-z\d])([A-Z])/g,
      (_, before: string, letter: string) => `${before} ${letter.toLowerCase()}`,
    )
    .replaceAll(/\b(?:id|usd|us|url)\b/g, (word) => word.toUpperCase());
}

function sentenceOf(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? '' : '.'}`;
}
