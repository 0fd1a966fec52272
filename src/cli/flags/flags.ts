/** The parameters of an operation as flags and arguments. */
import { Argument, type Command, Option } from 'commander';
import { periodForms } from '../../dates/forms.ts';
import type { Operation, Param } from '../../operations/operation.ts';
import { periodsOf } from '../../operations/period.ts';
import { usage } from '../runtime/failure.ts';

/** What commander read: by parameter name, a text, a list of texts, or a boolean. */
export type Typed = Readonly<Record<string, unknown>>;

export const helpGroups = {
  find: 'What to ask:',
  show: 'How to show it:',
  other: 'Everything else:',
};

/** How a parameter is typed: `--start-date`, or `<receipt>` for a part of the path. */
export function flagName(operation: Operation, name: string): string {
  return isArgument(operation, name) ? `<${name}>` : `--${kebab(name)}`;
}

export function allowDuplicateOption(): Option {
  const summary = 'Send the request even if an equal ticket or ship notice exists';
  return new Option('--allow-duplicate', summary).helpGroup(helpGroups.other);
}

/** For commands that can refund a sale although their name does not say so. */
export function allowRefundOption(): Option {
  const summary = 'Allow this command to refund a sale when no person confirms it';
  return new Option('--allow-refund', summary).helpGroup(helpGroups.other);
}

export interface WriteFlags {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly allowRefund?: boolean;
  readonly allowDuplicate?: boolean;
  readonly verifyWait?: string;
}

export function addWriteFlags(command: Command): void {
  command
    .optionsGroup(helpGroups.other)
    .option('-y, --yes', 'Send the request without asking for confirmation')
    .option('--dry-run', 'Read and check everything, print the request, and send nothing')
    .addOption(verifyWaitOption());
}

export function verifyWaitOption(): Option {
  return new Option(
    '--verify-wait <time>',
    'Longest time to look for a write whose answer was lost, as in 30s (default: 10s)',
  ).helpGroup(helpGroups.other);
}

export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Parts of the path are typed as arguments, unless the catalogue says otherwise. */
export function isArgument({ path, params }: Operation, name: string): boolean {
  return path.includes(`{${name}}`) && !params[name]?.asFlag;
}

/**
 * Adds an operation's arguments and flags to its command, in the order of the catalogue, unless another
 * operation of the command has added them. The argument `many` may be typed several times.
 */
export function addParameters(command: Command, operation: Operation, many?: string): void {
  const isNew = (name: string) =>
    !command.options.some((option) => option.attributeName() === name) &&
    !command.registeredArguments.some((argument) => argument.name() === name);
  for (const [name, param] of Object.entries(operation.params)) {
    if (param.constant !== undefined || !isNew(name)) continue;
    if (isArgument(operation, name)) {
      const written = name === many ? `[${name}...]` : `[${name}]`;
      command.addArgument(new Argument(written, describe(param)));
    } else {
      for (const option of optionsFor(name, param)) {
        command.addOption(option.helpGroup(helpGroups.find));
      }
    }
  }
  for (const { name } of periodsOf(operation)) {
    if (!isNew(name)) continue;
    const option = new Option(
      `--${kebab(name)} <words>`,
      `Set the first and the last day: ${periodForms}`,
    );
    command.addOption(option.helpGroup(helpGroups.find));
  }
}

function optionsFor(name: string, param: Param): Option[] {
  const flag = `--${kebab(name)}`;
  if (param.kind === 'boolean') {
    const summary = param.off ?? `Send ${flag} as false`;
    const off = new Option(`--no-${kebab(name)}`, summary).default(undefined);
    return [new Option(flag, describe(param)), off];
  }
  const option = new Option(`${flag} <${placeholder(param)}>`, describe(param));
  if (param.repeatable || param.splits) {
    const valuesIn = (text: string) => text.split(',').map((value) => value.trim());
    option.argParser((text: string, before: string[] = []) => [...before, ...valuesIn(text)]);
  }
  return [option];
}

function placeholder({ kind, wildcard }: Param): string {
  if (wildcard) return 'text%';
  return {
    text: 'text',
    choice: 'value',
    integer: 'n',
    decimal: 'amount',
    boolean: '',
    date: 'day',
  }[kind];
}

function describe(param: Param): string {
  const values = Object.entries(param.values ?? {}).map(([value, meaning]) =>
    meaning ? `${value} (${meaning})` : value,
  );
  return [
    param.summary,
    values.length > 0 ? `: ${values.join(', ')}` : '',
    param.wildcard ? '; % matches any text' : '',
    param.fallback ? ` (default: ${param.fallback})` : '',
    param.required ? ' (required)' : '',
  ].join('');
}

/** Throws a usage failure that names the flag and its range. */
export function wholeNumber(
  flag: string,
  text: string,
  least: number,
  most = Number.POSITIVE_INFINITY,
): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  const range = most === Number.POSITIVE_INFINITY ? `${least} up` : `${least} to ${most}`;
  throw usage(`${flag} must be a whole number from ${range}, not '${text}'`);
}

/** Whether a day or a period was typed: its meaning or its limits depend on today. */
export function holdsDays(operation: Operation, typed: Typed): boolean {
  const isTyped = (name: string) => typed[name] !== undefined;
  return (
    Object.entries(operation.params).some(([name, { kind }]) => kind === 'date' && isTyped(name)) ||
    periodsOf(operation).some(({ name }) => isTyped(name))
  );
}
