/** Creates a command for each operation of the catalogue: reads its options, runs it and shows the reply. */
import { Option } from 'commander';
import { isWrite, type Operation } from '../../operations/operation.ts';
import { type AnySpec, command } from '../../shell/define.ts';
import { shapeOfView } from '../../shell/display/view.ts';
import { usage } from '../../shell/failure.ts';
import {
  type Effect,
  type HelpText,
  readOptions,
  requestOptions,
} from '../../shell/help/help-text.ts';
import type { Topic } from '../../shell/help/topics.ts';
import { helpGroups, optionWord, type Typed, writeFlags } from '../../shell/options/flags.ts';
import type { ShowFlags, Shows } from '../../shell/options/show-flags.ts';
import type { EndpointOptions } from './arguments.ts';
import { readEndpoint } from './endpoint-read.ts';

/** A command without the option that selects one of several operations: `ship list`. */
type Words<C> = C extends `${infer W} --${string}` ? W : C;

interface GroupOptions<C> {
  readonly special?: { readonly [W in Words<C> & string]?: EndpointOptions };
  /** Descriptions of the groups within this one. */
  readonly groups?: Readonly<Record<string, string>>;
  /** Summary of the option that selects one of several operations, as in `--generation 3`. */
  readonly variants?: string;
}

/** Returns the operations as commands. Those that differ in one option share one; the last is its default and in its help. */
export function endpointCommands<O extends Operation>(
  operations: readonly O[],
  { special = {}, groups = {}, variants = '' }: GroupOptions<O['command']> = {},
): readonly AnySpec[] {
  const sharing = new Map<string, Sharing>();
  for (const operation of operations) {
    const [words = ''] = operation.command.split(' --');
    sharing.set(words, [operation, ...(sharing.get(words) ?? [])]);
  }
  const optionsOf: Readonly<Record<string, EndpointOptions | undefined>> = special;
  const top: AnySpec[] = [];
  const below = new Map<string, AnySpec[]>();
  for (const [words, some] of sharing) {
    const [service = '', name = '', ...more] = words.split(' ');
    const { next, ...options } = optionsOf[words] ?? {};
    const [shown] = some;
    const variant = variantsOf(some, variants);
    const made = command({
      words,
      summary: shown.summary,
      parameters: some,
      many: options.many,
      options: Object.fromEntries(
        [...variant.flags, ...(options.flags ?? []), ...(isWrite(shown) ? writeFlags : [])].map(
          (option) => [option.flags, option],
        ),
      ),
      chart: options.chart,
      shows: showsOf(shown, options),
      get help() {
        return helpTextOf(shown, options);
      },
      async run(cmd, flags: ShowFlags & Typed, output) {
        if (await options.instead?.(cmd, flags)) return;
        const operation = variant.choose(flags);
        const typed = options.fill ? await options.fill(cmd, flags) : flags;
        const run = isWrite(operation)
          ? (await import('./endpoint-write.ts')).writeEndpoint
          : readEndpoint;
        await run(cmd, operation, typed, output, options);
      },
    });
    const commands = more.length > 0 ? (below.get(name) ?? []) : top;
    if (more.length > 0 && !below.has(name)) {
      below.set(name, commands);
      top.push({ words: `${service} ${name}`, summary: groups[name] ?? '', commands });
    }
    commands.push(made, ...(next ? [next] : []));
  }
  return top;
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
    if (foreign) throw usage(`--${optionWord(foreign)} can't be combined with ${flag} ${asked}.`);
    return operation;
  };
  return { flags: [option.helpGroup(helpGroups.options)], choose };
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

function helpTextOf(operation: Operation, { examples = [], effect }: EndpointOptions): HelpText {
  const { roles, refusals = {}, params, returns } = operation;
  const usual: Effect = isWrite(operation) ? 'writes' : 'reads';
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
    effect: effect ?? (operation.method === 'DELETE' ? 'destroys' : usual),
    answersNo: returns.kind === 'answer',
    topics: topics.flatMap(([isAbout, topic]) => (isAbout ? [topic] : [])),
  };
}
