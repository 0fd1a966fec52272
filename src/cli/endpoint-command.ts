/** An operation of the catalogue as a command: flags in, request out, reply shown. */
import { type Command, Option } from 'commander';
import type { Operation } from '../operations/operation.ts';
import { chartOption } from './chart.ts';
import { addCommand, newCommand } from './command.ts';
import { type EndpointOptions, readEndpoint } from './endpoint-read.ts';
import { writeEndpoint } from './endpoint-write.ts';
import { usage } from './failure.ts';
import { addParameters, helpGroups, kebab, type Typed } from './flags.ts';
import { type Lesson, teach } from './help/lesson.ts';
import { type Call, type CommonFlags, type Shell, shellFor } from './shell.ts';
import { addShowFlags, readShowFlags, type ShowFlags, type Shown } from './show-flags.ts';
import { verifyWaitOption } from './write-options.ts';

/** One command for several operations, of which a flag picks one. */
export interface Variants {
  /** Name of the flag, as commander keeps it. */
  readonly flag: string;
  readonly summary: string;
  readonly operations: Readonly<Record<string, Operation>>;
  readonly fallback: string;
}

export type AllFlags = CommonFlags & ShowFlags & Typed;

/** Adds the command of an operation to its group. */
export function addEndpoint(
  group: Command,
  call: Call,
  operation: Operation,
  options: EndpointOptions = {},
): void {
  addRuns(group, call, { operations: [operation], choose: () => operation, options });
}

/** Adds the command of several operations to its group; the help shows the one picked by default. */
export function addVariants(
  group: Command,
  call: Call,
  { flag, summary, operations, fallback }: Variants,
  options: EndpointOptions = {},
): void {
  const known = Object.keys(operations);
  const choose = (typed: Typed) => {
    const asked = String(typed[flag] ?? fallback);
    const operation = Object.hasOwn(operations, asked) ? operations[asked] : undefined;
    if (!operation)
      throw usage(`--${kebab(flag)} must be one of ${known.join(', ')}, not '${asked}'`);
    refuseForeign(operation, Object.values(operations), typed, `--${kebab(flag)} ${asked}`);
    return operation;
  };
  const ordered = [fallback, ...known.filter((name) => name !== fallback)];
  const all = ordered.flatMap((name) => operations[name] ?? []);
  const option = new Option(
    `--${kebab(flag)} <value>`,
    `${summary}: ${known.join(', ')} (default: ${fallback})`,
  ).helpGroup(helpGroups.find);
  const flags = [option, ...(options.flags ?? [])];
  addRuns(group, call, { operations: all, choose, options: { ...options, flags } });
}

/** A flag that only other variants know can't be sent. */
function refuseForeign(
  operation: Operation,
  all: readonly Operation[],
  typed: Typed,
  variant: string,
): void {
  const foreign = all
    .flatMap(({ params }) => Object.keys(params))
    .find((name) => !(name in operation.params) && typed[name] !== undefined);
  if (foreign) throw usage(`--${kebab(foreign)} does not go with ${variant}`);
}

/** What a command runs: the first of the operations is the one that its help shows. */
interface Runs {
  readonly operations: readonly Operation[];
  readonly choose: (typed: Typed) => Operation;
  readonly options: EndpointOptions;
}

function addRuns(group: Command, call: Call, runs: Runs): void {
  const [shown] = runs.operations;
  if (!shown) return;
  const command = newCommand(call.context, commandName(shown)).description(shown.summary);
  addCommand(group, command, call, () => fill(command, call, shown, runs));
}

function fill(
  command: Command,
  call: Call,
  shown: Operation,
  { operations, choose, options }: Runs,
): void {
  for (const operation of operations) addParameters(command, operation, options.many);
  for (const option of options.flags ?? []) command.addOption(option);
  addShowFlags(command, shownAs(shown, options));
  if (options.chart) command.addOption(chartOption(options.chart));
  if (isWrite(shown)) {
    command
      .optionsGroup(helpGroups.other)
      .option('-y, --yes', 'Send the request without asking for confirmation')
      .option('--dry-run', 'Read and check everything, print the request, and send nothing');
    command.addOption(verifyWaitOption());
  }
  teach(command, () => lessonOf(shown, options));
  command.action(async () => {
    const flags = command.optsWithGlobals<AllFlags>();
    await runEndpoint(shellFor(call, flags), choose, { ...flags, ...positional(command) }, options);
  });
}

/** The last word of a command, before the flag that picks a variant. */
function commandName({ command }: Operation): string {
  return command.split(' --')[0]?.split(' ').at(-1) ?? '';
}

function positional(command: Command): Typed {
  return Object.fromEntries(
    command.registeredArguments.map((argument, i) => {
      const value = command.processedArgs[i];
      const isNone = Array.isArray(value) && value.length === 0;
      return [argument.name(), isNone ? undefined : value];
    }),
  );
}

function isWrite({ method }: Operation): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

function shownAs({ returns: { kind } }: Operation, { view }: EndpointOptions): Shown {
  if (kind === 'pages' || kind === 'list') {
    return { rows: true, pages: kind === 'pages', totals: view !== undefined };
  }
  return { rows: false, pages: false, totals: false };
}

function lessonOf(operation: Operation, { examples = [] }: EndpointOptions): Lesson {
  const { roles, refusals = {}, params, returns } = operation;
  const isDated = Object.values(params).some(({ kind }) => kind === 'date');
  const showsRows = returns.kind === 'pages' || returns.kind === 'list';
  return {
    asks: true,
    examples: [...operation.examples, ...examples],
    roles,
    remarks: Object.entries(refusals).map(
      ([status, meaning]) => `The service answers ${status} when: ${meaning}.`,
    ),
    topics: [
      ...(isDated ? (['dates'] as const) : []),
      ...(showsRows ? (['output'] as const) : []),
      ...(isWrite(operation) ? (['safety'] as const) : []),
      ...(roles.length > 0 ? (['credentials'] as const) : []),
      'exit-codes',
    ],
  };
}

async function runEndpoint(
  shell: Shell,
  choose: (typed: Typed) => Operation,
  flags: AllFlags,
  options: EndpointOptions,
): Promise<void> {
  const showing = readShowFlags(shell, flags);
  const operation = choose(flags);
  if (await options.instead?.(shell, flags, showing)) return;
  const typed = options.fill ? await options.fill(shell, flags) : flags;
  if (isWrite(operation)) await writeEndpoint(shell, operation, typed, showing, options);
  else await readEndpoint(shell, operation, typed, showing, options);
}
