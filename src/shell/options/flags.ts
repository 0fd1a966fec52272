/** The parameters of an operation as options and arguments. */
import { Argument, type Command, Option } from 'commander';
import { type Operation, type Param, type Period, periodsOf } from '../../operations/operation.ts';
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
  /** Options that every command accepts. */
  global: 'Global options:',
};

/** Returns how a parameter is typed: `--start-date`, or `<receipt>` for a part of the path. */
export function flagName(operation: Operation, name: string): string {
  return isArgument(operation, name) ? `<${name}>` : `--${kebab(name)}`;
}

export function allowDuplicateOption(): Option {
  const summary = 'Send even if an equal ticket or ship notice exists';
  return new Option('--allow-duplicate', summary).helpGroup(helpGroups.options);
}

/** For commands that can refund a sale although their name does not say so. */
export function allowRefundOption(): Option {
  const summary = 'With --yes, allow a refund as a side effect';
  return new Option('--allow-refund', summary).helpGroup(helpGroups.options);
}

export function replyOption(): Option {
  const summary = 'Send a saved reply (see cb replies) as the comment';
  return new Option('--reply <name>', summary).helpGroup(helpGroups.options);
}

export interface WriteFlags {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly allowRefund?: boolean;
  readonly allowDuplicate?: boolean;
  readonly verifyWait?: string;
}

export function writeOptions(): readonly Option[] {
  return [
    new Option('--dry-run', 'Check and print the request without sending it'),
    new Option('-y, --yes', 'Send the request without asking for confirmation'),
    verifyWaitOption(),
  ].map((option) => option.helpGroup(helpGroups.options));
}

export function verifyWaitOption(): Option {
  return new Option(
    '--verify-wait <time>',
    'Maximum time to look for a write whose response was lost (default: 10s)',
  ).helpGroup(helpGroups.options);
}

export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Whether a parameter is typed as an argument. Parts of the path are, unless the catalogue says otherwise. */
export function isArgument(
  { path, params }: Pick<Operation, 'path' | 'params'>,
  name: string,
): boolean {
  return path.includes(`{${name}}`) && !params[name]?.asFlag;
}

/** What a command accepts: a command of commander, or a branch of the tree that becomes one. */
export interface Accepting {
  readonly options: readonly Option[];
  readonly registeredArguments: readonly Argument[];
  addOption(option: Option): unknown;
  addArgument(argument: Argument): unknown;
}

/**
 * Adds the arguments and options of an operation to its command, in the order of the catalogue, with each period
 * before its days. Skips those that another operation of the command has added. The argument `many` may be typed
 * several times.
 */
export function addParameters(
  command: Accepting,
  operation: Omit<Operation, 'check'>,
  many?: string,
): void {
  const isNew = (name: string) =>
    !command.options.some((option) => option.attributeName() === name) &&
    !command.registeredArguments.some((argument) => argument.name() === name);
  const { kind } = operation.returns;
  const isSearch =
    operation.method === 'GET' && (kind === 'list' || kind === 'pages' || kind === 'count');
  const group = isSearch ? helpGroups.filters : helpGroups.options;
  const add = (option: Option) => command.addOption(option.helpGroup(group));
  const periods = periodsOf(operation);
  for (const [name, param] of Object.entries(operation.params)) {
    const period = periods.find(({ first }) => first === name);
    if (period && isNew(period.name)) {
      const { name, summary } = period;
      add(new Option(`--${kebab(name)} <period>`, `${summary}, such as last-7-days`));
    }
    if (param.constant !== undefined || !isNew(name)) continue;
    if (isArgument(operation, name)) {
      const written = name === many ? `[${name}...]` : `[${name}]`;
      const argument = new Argument(written, parameterText(param).full);
      command.addArgument(Object.assign(argument, { param }));
    } else {
      for (const option of optionsFor(name, param)) add(option);
    }
  }
}

function optionsFor(name: string, param: Param): Option[] {
  const flag = `--${kebab(name)}`;
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

const placeholders: Readonly<Record<Param['kind'], string>> = {
  ...{ text: 'text', choice: 'value', integer: 'n', decimal: 'amount', boolean: '', date: 'date' },
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
export interface ParameterText {
  readonly full: string;
  readonly brief: string;
}

export function parameterText(param: Param): ParameterText {
  const { summary, values = {}, wildcard, fallback, required } = param;
  const rest = [
    wildcard ? '; % matches any text' : '',
    fallback ? ` (default: ${fallback})` : '',
    required ? ' (required)' : '',
  ].join('');
  const listed = Object.entries(values).map(([value, meaning]) =>
    meaning ? `${value} (${meaning})` : value,
  );
  if (listed.length === 0) return { full: summary + rest, brief: summary + rest };
  return {
    full: `${summary}: ${listed.join(', ')}${rest}`,
    brief: `${summary}${briefValues(param, listed)}${rest}`,
  };
}

/** Maximum number of characters for the values of one parameter on a short page: about two lines. */
const briefLength = 110;

function briefValues({ values = {}, topic }: Param, listed: readonly string[]): string {
  if (topic !== undefined) return `; see cb help ${topic}`;
  const texts = [listed, Object.keys(values)].map((some) => some.join(', '));
  const fitting = texts.find((text) => text.length <= briefLength);
  return fitting === undefined ? ` (${listed.length} values)` : `: ${fitting}`;
}

/** Applies to options that are added later. Options that collect values, and repeated switches, are allowed. */
export function refuseRepeatedFlags(command: Command): void {
  const add = command.addOption.bind(command);
  const given = new Map<string, { readonly name: string; readonly value: string }>();
  command.addOption = (option) => {
    add(option);
    if (option.parseArg || option.variadic) return command;
    const name = option.long ?? option.short ?? '';
    // Defaults, and values from elsewhere than the command line, do not raise this event.
    command.on(`option:${option.name()}`, (typed: string | null | undefined) => {
      const first = given.get(option.attributeName());
      const value = typed ?? 'no value';
      given.set(option.attributeName(), { name, value });
      if (first && first.name !== name) {
        throw usage(`${first.name} and ${name} were both given.`, {
          hint: 'Use one or the other.',
        });
      }
      if (!first || (!option.required && !option.optional)) return;
      throw usage(`${name} was given twice: ${first.value} and ${value}.`, {
        hint: 'Give it once.',
      });
    });
    return command;
  };
}

/* `--since` and `--until`: the first and last day under the same names for every command that reads a period. */

/** The options, each with the end of the period that it sets. */
const ends = { since: 'first', until: 'last' } as const;

/**
 * An option that sets the value of another option. commander and the check for repeated options compare attribute
 * names.
 */
class SynonymOption extends Option {
  private readonly target: string;

  constructor(meant: Option, name: string) {
    super(meant.flags.replace(/--\S+/, `--${name}`), `Same as ${meant.long}`);
    this.target = meant.attributeName();
    if (meant.helpGroupHeading !== undefined) this.helpGroup(meant.helpGroupHeading);
  }

  override attributeName(): string {
    // The constructor of the parent class calls this method too.
    return this.target ?? super.attributeName();
  }
}

/** The period that dates the rows, otherwise the first one that the operation accepts. */
function mainPeriod(operation: Omit<Operation, 'check'>): Period | undefined {
  const { returns } = operation;
  const periods = periodsOf(operation);
  const by = 'dated' in returns ? returns.dated?.by : undefined;
  return periods.find(({ name }) => name === by) ?? periods[0];
}

/** Adds the two options, unless another operation of the command has added them. */
export function addPeriodSynonyms(command: Accepting, operation: Omit<Operation, 'check'>): void {
  const period = mainPeriod(operation);
  for (const [name, end] of Object.entries(ends)) {
    const meant = command.options.find((option) => option.attributeName() === period?.[end]);
    if (!meant || command.options.some(({ long }) => long === `--${name}`)) continue;
    command.addOption(new SynonymOption(meant, name));
  }
}

/** Records for `typedName` which of the options were typed. */
export function markSynonyms(command: Command): void {
  for (const option of command.options) {
    if (!(option instanceof SynonymOption)) continue;
    const name = option.name();
    command.on(`option:${name}`, () => command.setOptionValue(markOf(name), true));
  }
}

/** Returns the key that records that the user typed the synonym. */
function markOf(name: string): string {
  return `${name}Typed`;
}

/**
 * Returns the option or argument of a parameter as the user typed it, for example `--since` instead of
 * `--start-date`.
 */
export function typedName(operation: Operation, param: string, typed: Typed): string {
  const period = mainPeriod(operation);
  const synonym = Object.entries(ends).find(
    ([name, end]) => period?.[end] === param && typed[markOf(name)] === true,
  );
  return synonym ? `--${synonym[0]}` : flagName(operation, param);
}

/** Synonyms by value, in lower case with hyphens. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  SALE: ['sales'],
  RFND: ['refund', 'refunds', 'refunded'],
  CGBK: ['chargeback', 'chargebacks', 'charge-back', 'charged-back'],
  FEE: ['fees'],
  BILL: ['rebill', 'rebills'],
  TEST_SALE: ['test-sales'],
  TEST_BILL: ['test-rebill', 'test-rebills'],
  TEST_RFND: ['test-refund', 'test-refunds'],
  TEST_FEE: ['test-fees'],
  rfnd: ['refund', 'refunds'],
  cncl: ['cancel', 'cancellation', 'cancellations'],
  tech: ['tech-support', 'technical-support', 'support'],
  reopened: ['re-opened'],
  notshipped: ['not-shipped', 'unshipped'],
  // These two share a word. A % sign after the amount decides; otherwise the word is ambiguous.
  PARTIAL_PERCENT: ['percent', 'percentage', 'partial'],
  PARTIAL_AMOUNT: ['amount', 'partial'],
};

/** By parameter: a sign after the number that selects the value of another choice. */
export const numberSigns: Readonly<
  Record<string, { readonly sign: string; readonly choice: string; readonly value: string }>
> = {
  refundAmount: { sign: '%', choice: 'refundType', value: 'PARTIAL_PERCENT' },
};

/** Returns the values that the text can mean; `values` are the choices, with their meanings. */
export function valuesMeant(
  { coded }: Param,
  text: string,
  values: Readonly<Record<string, string>>,
): string[] {
  const typed = comparable(text);
  const names = Object.keys(values);
  const matching = (matches: (value: string) => boolean) => names.filter(matches);
  const exact = matching((value) => comparable(value) === typed);
  if (exact.length > 0) return exact;
  const named = matching((value) => synonyms[value]?.includes(typed) ?? false);
  if (named.length > 0 || !coded || typed === '') return named;
  const ends = matching((value) => comparable(value).endsWith(`.${typed}`));
  if (ends.length > 0) return ends;
  const meaning = (value: string) => wordsOf(values[value] ?? '');
  const same = matching((value) => meaning(value) === wordsOf(text));
  return same.length > 0
    ? same
    : matching((value) => ` ${meaning(value)} `.includes(` ${wordsOf(text)} `));
}

/** Makes `TEST_SALE`, `test sale` and `Test-Sale` equal. */
function comparable(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '-');
}

/** Removes the punctuation of a text. */
function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
