/** Creates a command for each operation of the catalogue: reads its options, runs it and shows the reply. */
import { type Command, Option } from 'commander';
import type { Operation } from '../../operations/operation.ts';
import { chartOption } from '../display/chart.ts';
import { shapeOfView } from '../display/view.ts';
import { addParameters, addWriteFlags, helpGroups, kebab, type Typed } from '../flags/flags.ts';
import { addPeriodSynonyms } from '../flags/period-synonyms.ts';
import { addShowFlags, readShowFlags, type ShowFlags, type Shows } from '../flags/show-flags.ts';
import {
  addHelp,
  type Effect,
  type HelpText,
  readOptions,
  requestOptions,
} from '../help/help-text.ts';
import type { Topic } from '../help/topics/topics.ts';
import { addLocalFlags, answering, type LocalFlags } from '../local/local-options.ts';
import { addAction, addCommand, newCommand } from '../runtime/command.ts';
import type { Call, CommonFlags } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';
import { type EndpointOptions, isWrite } from './arguments.ts';
import { readEndpoint } from './endpoint-read.ts';

export type AllFlags = CommonFlags & ShowFlags & Typed;

/** A command without the option that selects one of several operations: `ship list`. */
type Words<C> = C extends `${infer W} --${string}` ? W : C;

interface GroupOptions<C> {
  readonly special?: { readonly [W in Words<C> & string]?: EndpointOptions };
  /** Descriptions of the groups within this one. */
  readonly groups?: Readonly<Record<string, string>>;
  /** Summary of the option that selects one of several operations, as in `--generation 3`. */
  readonly variants?: string;
}

/**
 * Adds the operations as commands. Operations that differ only in one option share a command; the last one is the
 * default, and the help describes it.
 */
export function addEndpoints<O extends Operation>(
  group: Command,
  call: Call,
  operations: readonly O[],
  { special = {}, groups = {}, variants = '' }: GroupOptions<O['command']> = {},
): void {
  const sharing = new Map<string, Sharing>();
  for (const operation of operations) {
    const [words = ''] = operation.command.split(' --');
    sharing.set(words, [operation, ...(sharing.get(words) ?? [])]);
  }
  const optionsOf: Readonly<Record<string, EndpointOptions | undefined>> = special;
  for (const [words, some] of sharing) {
    const [, ...names] = words.split(' ');
    const name = names.pop() ?? '';
    const parent = names.reduce((above, below) => groupIn(above, call, below, groups), group);
    const options = optionsOf[words] ?? {};
    const command = newCommand(call.context, name).description(some[0].summary);
    addCommand(parent, command, call, () => fill(command, call, some, variants, options));
    options.addNext?.(parent, call);
  }
}

function groupIn(
  above: Command,
  call: Call,
  name: string,
  descriptions: Readonly<Record<string, string>>,
): Command {
  const known = above.commands.find((one) => one.name() === name);
  if (known) return known;
  const made = newCommand(call.context, name).description(descriptions[name] ?? '');
  above.addCommand(made);
  return made;
}

/** The operations of one command, the default first. */
type Sharing = readonly [Operation, ...Operation[]];

/**
 * Creates the option that selects one of several operations. In the catalogue, it is at the end of their commands.
 */
function variantsOf(operations: Sharing, summary: string) {
  const [only, another] = operations;
  if (!another) return { flags: [], choose: () => only };
  const pairs = operations.map(({ command }) => command.split(' ').slice(-2));
  const [flag = '', fallback = ''] = pairs[0] ?? [];
  const values = pairs.map(([, value = '']) => value);
  const known = values.toSorted().join(', ');
  const option = new Option(`${flag} <value>`, `${summary}: ${known} (default: ${fallback})`);
  const choose = (typed: Typed) => {
    const asked = String(typed[option.attributeName()] ?? fallback);
    const operation = operations[values.indexOf(asked)];
    if (!operation) throw usage(`Invalid ${flag} '${asked}'.`, { hint: `Use one of ${known}.` });
    const foreign = operations
      .flatMap(({ params }) => Object.keys(params))
      .find((name) => !(name in operation.params) && typed[name] !== undefined);
    if (foreign) throw usage(`--${kebab(foreign)} can't be combined with ${flag} ${asked}.`);
    return operation;
  };
  return { flags: [option.helpGroup(helpGroups.options)], choose };
}

function fill(
  command: Command,
  call: Call,
  operations: Sharing,
  summary: string,
  options: EndpointOptions,
): void {
  const [shown] = operations;
  const variants = variantsOf(operations, summary);
  const shows = showsOf(shown, options);
  for (const operation of operations) {
    addParameters(command, operation, options.many);
    if (!isWrite(operation)) addPeriodSynonyms(command, operation);
  }
  for (const option of [...variants.flags, ...(options.flags ?? [])]) command.addOption(option);
  addShowFlags(command, shows);
  if (options.chart) command.addOption(chartOption(options.chart));
  if (options.local) addLocalFlags(command);
  if (isWrite(shown)) addWriteFlags(command);
  addHelp(command, () => helpTextOf(shown, options));
  addAction(command, call, async (cmd, given: ShowFlags & LocalFlags & Typed) => {
    const flags = { ...given, ...positional(command) };
    if (await options.instead?.(cmd, flags)) return;
    const output = readShowFlags(cmd, flags, shows);
    const operation = variants.choose(flags);
    const typed = options.fill ? await options.fill(cmd, flags) : flags;
    const run = isWrite(operation)
      ? (await import('./endpoint-write.ts')).writeEndpoint
      : readEndpoint;
    const from = options.local ? answering(cmd, flags, output) : cmd;
    await run(from, operation, typed, output, options);
  });
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

function showsOf({ returns }: Operation, { view, layouts = false }: EndpointOptions): Shows {
  const { kind } = returns;
  const resource = 'resource' in returns ? returns.resource : undefined;
  return {
    ...(resource && { shape: () => shapeOfView(view?.({}) ?? { resource }) }),
    rows: kind === 'pages' || kind === 'list',
    pages: kind === 'pages',
    dated: 'dated' in returns,
    totals: view?.({}).summing !== undefined,
    layouts,
    asReceived: kind !== 'nothing' && kind !== 'answer',
  };
}

function effectOf(operation: Operation): Effect {
  if (operation.method === 'DELETE') return 'destroys';
  return isWrite(operation) ? 'writes' : 'reads';
}

function helpTextOf(
  operation: Operation,
  { examples = [], effect = effectOf(operation) }: EndpointOptions,
): HelpText {
  const { roles, refusals = {}, params, returns } = operation;
  const topics: readonly (readonly [isAbout: boolean, topic: Topic])[] = [
    [Object.values(params).some(({ kind }) => kind === 'date'), 'dates'],
    [returns.kind === 'pages' || returns.kind === 'list', 'output'],
    [isWrite(operation), 'safety'],
    [roles.length > 0, 'credentials'],
    [true, 'exit-codes'],
  ];
  return {
    asks: true,
    examples: [...operation.examples, ...examples],
    roles,
    remarks: Object.entries(refusals).map(
      ([status, meaning]) => `ClickBank returns ${status} if ${meaning}.`,
    ),
    obeys: isWrite(operation)
      ? requestOptions
      : readOptions.filter((name) => name !== '--tz' || !operation.isPacific),
    effect,
    answersNo: returns.kind === 'answer',
    topics: topics.flatMap(([isAbout, topic]) => (isAbout ? [topic] : [])),
  };
}
