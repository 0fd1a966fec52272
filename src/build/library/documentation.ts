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

/** The sections of the specification, by the first part of a path that has one. */
const sections: readonly (readonly [path: RegExp, section: string])[] = [
  [/^\/1\.3\/analytics\//, '4.1'],
  [/^\/1\.3\/tickets\//, '4.2'],
  [/^\/1\.3\/orders2\//, '4.3'],
  [/^\/1\.3\/products\//, '4.4'],
  [/^\/1\.3\/quickstats\//, '4.5'],
  [/^\/1\.3\/shipping[23]?\/shipnotice\//, '4.7'],
  [/^\/1\.3\/shipping[23]?\//, '4.6'],
];

function sourceOf({ method, path }: Operation): string {
  const section = sections.find(([matches]) => matches.test(path))?.[1];
  const place = section ? `section ${section} of the specification` : 'not in the specification';
  return `\`${method} /rest${path}\`, ${place}.`;
}

export function operationComment(operation: Operation, isSafe: boolean): string[] {
  const { summary, roles, returns, refusals = {} } = operation;
  const isWrite = !['GET', 'HEAD'].includes(operation.method);
  const meanings = Object.entries(refusals).map(([status, means]) => `${status}: ${means}.`);
  const needs = roles.length > 0 ? ` Required permissions of the key: ${roles.join(', ')}.` : '';
  return [
    `${sentenceOf(summary.replaceAll(/ \((?:exit code )?\d\)/g, ''))}${answerText(returns)}`,
    `${sourceOf(operation)}${needs}`,
    isSafe
      ? 'Looks first, is sent once, and is read back if the response is lost. Never throws an ApiError.'
      : `${isWrite ? 'Sent once, never retried, without a warning about its effects. ' : ''}Throws an ApiError.`,
    meanings.length > 0
      ? `What a refusal means:\n${meanings.map((one) => `- ${one}`).join('\n')}`
      : '',
  ];
}

function answerText(returns: Operation['returns']): string {
  if (returns.kind === 'answer') return ` True means ${returns.yes}, false ${returns.no}.`;
  if (returns.kind === 'schema') return ' Resolves to the XML Schema as text.';
  return '';
}

export function paramComment(param: Param): string[] {
  const { summary, kind, repeatable, wildcard, pattern, fallback, min, max, range, future } = param;
  const unit = {
    date: 'A Pacific day, `yyyy-mm-dd`.',
    decimal: "A number as text, such as '19.90'.",
  };
  const isUnit = (name: string): name is keyof typeof unit => Object.hasOwn(unit, name);
  const facts = [
    sentenceOf(summary.replace(', separated by commas', '')),
    ...(isUnit(kind) ? [unit[kind]] : []),
    ...(min !== undefined || max !== undefined ? [`${rangeOf(min, max)}.`] : []),
    ...(repeatable ? ['Several values are allowed.'] : []),
    ...(future ? ['In the future.'] : []),
    ...(pattern ? [`Must be ${pattern.says}.`] : []),
    ...(wildcard ? ['`%` stands for any characters.'] : []),
    ...(range?.maxDays ? [`A longer period than ${range.maxDays} days is read in parts.`] : []),
    ...(fallback ? [`Default: ${fallback}.`] : []),
  ];
  return [facts.join(' '), meaningsOf(param)];
}

function rangeOf(min: number | undefined, max: number | undefined): string {
  if (max === undefined) return `At least ${min}`;
  return min === undefined ? `At most ${max}` : `From ${min} to ${max}`;
}

function meaningsOf({ values = {} }: Param): string {
  const said = Object.entries(values).filter(([, meaning]) => meaning !== '');
  return said.map(([value, meaning]) => `- \`${value}\`: ${meaning}`).join('\n');
}

const identities: Readonly<Record<Named, string>> = {
  receipt: 'A receipt.',
  ticket: 'A ticket ID.',
  sku: 'A SKU.',
  account: 'The nickname of an account.',
  image: 'An image ID.',
};

export function fieldComment(name: string, field: Field, resource: Resource): string[] {
  const { heading, values, names, spelling } = field;
  const title = sentenceOf(heading ?? wordsOf(spelling ?? name));
  return [
    [
      title,
      names && identities[names] !== title ? identities[names] : '',
      unitOf(name, field, resource),
      spelling ? 'The service misspells the name.' : '',
      values ? `Known values: ${values.join(', ')}; there may be others.` : '',
    ]
      .filter(Boolean)
      .join(' '),
  ];
}

function unitOf(name: string, { kind }: Field, { element, fields }: Resource): string {
  if (kind === 'time') return 'ISO 8601 with the Pacific offset.';
  if (kind === 'day') return 'The time stands for its whole day, in Pacific time.';
  if (kind !== 'decimal') return '';
  if (!/amount|price|value|sale|refund|chargeback/i.test(name)) return 'Digits as sent.';
  if (element === 'quickstatsData' || /^usd/i.test(name)) return 'In US dollars, digits as sent.';
  const currency = ['currency', 'currencyCode'].find((one) => Object.hasOwn(fields, one));
  if (currency) return `In the currency of \`${currency}\`, digits as sent.`;
  return /^line/.test(element)
    ? 'In the currency of the order, digits as sent.'
    : 'Digits as sent.';
}

function wordsOf(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replaceAll(
      /([a-z\d])([A-Z])/g,
      (_, before: string, letter: string) => `${before} ${letter.toLowerCase()}`,
    );
}

function sentenceOf(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? '' : '.'}`;
}
