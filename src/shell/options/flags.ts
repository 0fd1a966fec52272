/** The parameters of an operation as options and arguments. */
import { Argument, type Command, Option } from 'commander';
import { hyphenated } from '../../dates/words.ts';
import { type Operation, type Param, periodsOf } from '../../operations/operation.ts';
import { usage } from '../failure.ts';

/** The values that commander read, by parameter name: a text, a list of texts, or a boolean. */
export type Typed = Readonly<Record<string, unknown>>;

declare module 'commander' {
  interface Option {
    /** The parameter of the catalogue that the option sets. */
    param?: Param;
  }
  interface Argument {
    param?: Param;
  }
}

/** The headings of options in the help, in their order. */
export const helpGroups = {
  /** For commands that read: options that narrow the result. */
  filters: 'Filters:',
  output: 'Output:',
  options: 'Options:',
  global: 'Global options:',
};

/** Returns how a parameter is typed: `--since`, or `<receipt>` for a part of the path. */
export function flagName(operation: Operation, name: string): string {
  return isArgument(operation, name) ? `<${name}>` : `--${optionWord(name)}`;
}

function option(flags: string, summary: string): Option {
  return new Option(flags, summary).helpGroup(helpGroups.options);
}

export const allowDuplicateOption = option(
  '--allow-duplicate',
  'Send even if an equal ticket or ship notice exists',
);

/** For commands that can refund a sale although their name does not say so. */
export const allowRefundOption = option(
  '--allow-refund',
  'With --yes, allow a refund as a side effect',
);

export const replyOption = option(
  '--reply <name>',
  'Send a saved reply instead of --comment (see cb replies)',
);

export const verifyWaitOption = option(
  '--verify-wait <time>',
  'Maximum time to look for a write whose response was lost (default: 10s)',
);

/** The options of every write. */
export const writeFlags: readonly Option[] = [
  option('--dry-run', 'Check and print the request without sending it'),
  option('-y, --yes', 'Send the request without asking for confirmation'),
  verifyWaitOption,
  option('--verbose', 'On a terminal, also show the whole response'),
];

export interface WriteFlags {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly allowRefund?: boolean;
  readonly allowDuplicate?: boolean;
  readonly verifyWait?: string;
  readonly verbose?: boolean;
}

/**
 * One name for one meaning: parameters that the service names differently in each list, and the name of their option. The name
 * of the parameter is accepted as well, but no help shows it.
 */
const commonNames: Readonly<Record<string, string>> = {
  item: 'sku',
  site: 'account',
  tid: 'tracking-id',
  createPeriod: 'period',
  startDate: 'since',
  createDateFrom: 'since',
  endDate: 'until',
  createDateTo: 'until',
};

/** The name of the option of a parameter or a period, without its dashes. */
export function optionWord(name: string): string {
  return commonNames[name] ?? kebab(name);
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Whether a parameter is typed as an argument. Parts of the path are, unless the catalogue says otherwise. */
export function isArgument({ path, params }: Pick<Operation, 'path' | 'params'>, name: string) {
  return path.includes(`{${name}}`) && !params[name]?.asFlag;
}

export interface Accepted {
  readonly args: Argument[];
  readonly options: Option[];
}

/**
 * Adds the arguments and options of an operation to those of its command, in the order of the catalogue, with each period
 * before its days. Skips those that another operation of the command has added. The argument `many` may be typed
 * several times.
 */
export function addParameters(
  { args, options }: Accepted,
  operation: Omit<Operation, 'check'>,
  many?: string,
): void {
  const isNew = (name: string) =>
    !options.some((option) => option.attributeName() === name) &&
    !args.some((argument) => argument.name() === name);
  const { method, returns } = operation;
  const isSearch = method === 'GET' && ['list', 'pages', 'count'].includes(returns.kind);
  const group = isSearch ? helpGroups.filters : helpGroups.options;
  const periods = periodsOf(operation);
  const counted = Object.values(operation.params).find(({ daysBack }) => daysBack)?.fallback;
  const usual = counted === undefined ? '' : ` (default: last-${counted}-days)`;
  for (const [name, param] of Object.entries(operation.params)) {
    const period = periods.find(({ first }) => first === name);
    if (period && isNew(period.name)) {
      const { name, summary } = period;
      const flags = `--${optionWord(name)} <period>`;
      const option = new Option(flags, `${summary}, such as last-7-days${usual}`).helpGroup(group);
      options.push(...named(option, name));
    }
    if (param.constant !== undefined || !isNew(name)) continue;
    if (isArgument(operation, name)) {
      const written = name === many ? `[${name}...]` : `[${name}]`;
      const argument = new Argument(written, parameterText(param).full);
      args.push(Object.assign(argument, { param }));
    } else {
      const made = optionsFor(name, param).map((option) => option.helpGroup(group));
      // A period says the same.
      if (param.daysBack) for (const option of made) option.hideHelp();
      options.push(...made.flatMap((option) => named(option, name)));
    }
  }
}

/** An option of a parameter, and below another name the one that the parameter has. */
function named(option: Option, name: string): Option[] {
  if (!Object.hasOwn(commonNames, name)) return [option];
  const meant = Object.assign(option, { attributeName: () => name });
  return [meant, synonymOf(meant, kebab(name)).hideHelp()];
}

function optionsFor(name: string, param: Param): Option[] {
  const flag = `--${optionWord(name)}`;
  const { full } = parameterText(param);
  if (param.kind === 'boolean') {
    const summary = param.off ?? `Send ${flag} as false`;
    const off = new Option(`--no-${kebab(name)}`, summary).default(undefined);
    return [new Option(flag, full), off].map((option) => Object.assign(option, { param }));
  }
  const placeholder = param.wildcard ? 'text%' : placeholders[param.kind];
  const option = new Option(`${flag} <${placeholder}>`, full);
  if (param.repeatable || param.splits) {
    const valuesIn = (text: string) => text.split(',').map((value) => value.trim());
    option.argParser((text: string, before: string[] = []) => [...before, ...valuesIn(text)]);
  }
  return [Object.assign(option, { param })];
}

const placeholders = {
  text: 'text',
  choice: 'value',
  integer: 'n',
  decimal: 'amount',
  date: 'date',
};

/** Throws a usage failure that names the option and its range. */
export function wholeNumber(
  flag: string,
  text: string,
  least: number,
  most = Number.POSITIVE_INFINITY,
): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  const range =
    most === Number.POSITIVE_INFINITY ? `of ${least} or more` : `from ${least} to ${most}`;
  throw usage(`Invalid ${flag} '${text}'.`, { hint: `Use a whole number ${range}.` });
}

/** Whether a day or a period was typed. Its meaning or its limits depend on the current day. */
export function holdsDays(operation: Operation, typed: Typed): boolean {
  const isTyped = (name: string) => typed[name] !== undefined;
  return (
    Object.entries(operation.params).some(([name, { kind }]) => kind === 'date' && isTyped(name)) ||
    periodsOf(operation).some(({ name }) => isTyped(name))
  );
}

/** `--out` of a command that writes a file of its own kind. */
export function outOption(summary: string): Option {
  return new Option('--out <file>', summary).helpGroup(helpGroups.output);
}

/** `full` lists every value with its meaning; `brief` fits a short help page. */
export function parameterText(param: Param): { readonly full: string; readonly brief: string } {
  const { summary, values = {}, wildcard, fallback, required, topic, inWords } = param;
  const rest = [
    wildcard ? '; % matches any text' : '',
    fallback ? ` (default: ${fallback})` : '',
    required ? ' (required)' : '',
  ].join('');
  const listed = Object.entries(values).map(([value, meaning]) =>
    meaning ? `${value} (${meaning})` : value,
  );
  if (listed.length === 0) return { full: summary + rest, brief: summary + rest };
  const texts = [listed, Object.keys(values)].map((some) => some.join(', '));
  const fitting = texts.find((text) => text.length <= briefLength);
  const few = inWords ?? fitting;
  const shown = few === undefined ? ` (${listed.length} values)` : `: ${few}`;
  return {
    full: `${summary}: ${listed.join(', ')}${rest}`,
    brief: `${summary}${topic === undefined ? shown : `; see cb help ${topic}`}${rest}`,
  };
}

/** Maximum number of characters for the values of one parameter on a short page: about two lines. */
const briefLength = 110;

/** Refuses an option given twice, unless it collects values or is a switch. */
export function watchOptions(command: Command): void {
  const given = new Map<string, { readonly name: string; readonly value: string }>();
  for (const option of command.options) {
    if (option.parseArg || option.variadic) continue;
    const { long: name = '' } = option;
    // Defaults, and values from elsewhere than the command line, do not raise this event.
    command.on(`option:${option.name()}`, (typed: string | null | undefined) => {
      const first = given.get(option.attributeName());
      const value = typed ?? 'no value';
      given.set(option.attributeName(), { name, value });
      if (first && first.name !== name) {
        const hint = 'Use one or the other.';
        throw usage(`${first.name} and ${name} were both given.`, { hint });
      }
      if (!first || (!option.required && !option.optional)) return;
      const hint = 'Give it once.';
      throw usage(`${name} was given twice: ${first.value} and ${value}.`, { hint });
    });
  }
}

/** It sets the value of another option: commander and the check for repeated ones compare attribute names. */
function synonymOf(meant: Option, name: string): Option {
  const flags = meant.flags.replace(/--\S+/, `--${name}`);
  const made = new Option(flags, `Same as ${meant.long}`);
  made.helpGroup(meant.helpGroupHeading ?? helpGroups.options);
  return Object.assign(made, { attributeName: () => meant.attributeName() });
}

/** Synonyms by value, in lower case with hyphens. */
const synonyms: Readonly<Record<string, string>> = {
  SALE: 'sales',
  RFND: 'refund refunds refunded',
  CGBK: 'chargeback chargebacks charge-back charged-back',
  FEE: 'fees',
  BILL: 'rebill rebills',
  TEST_SALE: 'test-sales',
  TEST_BILL: 'test-rebill test-rebills',
  TEST_RFND: 'test-refund test-refunds',
  TEST_FEE: 'test-fees',
  rfnd: 'refund refunds',
  cncl: 'cancel cancellation cancellations',
  tech: 'tech-support technical-support support',
  reopened: 're-opened',
  notshipped: 'not-shipped unshipped',
  // These two share a word. A % sign after the amount decides; otherwise the word is ambiguous.
  PARTIAL_PERCENT: 'percent percentage partial',
  PARTIAL_AMOUNT: 'amount partial',
};

/** Returns the values that the text can mean; `values` are the choices, with their meanings. */
export function valuesMeant(
  { coded }: Param,
  text: string,
  values: Readonly<Record<string, string>>,
): string[] {
  // As in `test - sale`.
  const typed = hyphenated(text).replaceAll(/-+/g, '-');
  const words = wordsOf(text);
  const meaning = (value: string) => wordsOf(values[value] ?? '');
  const ways: ((value: string) => boolean)[] = [
    (value) => hyphenated(value) === typed,
    (value) => synonyms[value]?.split(' ').includes(typed) ?? false,
  ];
  if (coded && typed !== '') {
    ways.push(
      (value) => hyphenated(value).endsWith(`.${typed}`),
      (value) => meaning(value) === words,
      (value) => ` ${meaning(value)} `.includes(` ${words} `),
    );
  }
  const found = ways.map((matches) => Object.keys(values).filter(matches));
  return found.find((names) => names.length > 0) ?? [];
}

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
