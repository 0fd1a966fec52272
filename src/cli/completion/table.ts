/**
 * The command tree as the tables that a completion script looks up: what several commands have in
 * common stands there once, since a shell reads the script whenever it starts.
 */
import type { Candidate, Source } from './candidates.ts';
import type { CommandNode, Flag } from './tree.ts';

/**
 * How a script names what may stand at a place: '' nothing (the flag takes no value), `free`, `files`,
 * `values:3` one of a list, `several:3` some of a list with commas, `ask:receipt` what cb knows.
 */
export type Reference = string;

export interface Table {
  readonly commands: readonly CommandEntry[];
  /** Flags, in sets that commands share; the first set is of all commands. */
  readonly sets: readonly (readonly FlagLine[])[];
  readonly values: readonly (readonly Candidate[])[];
}

export interface CommandEntry {
  readonly path: string;
  /** What may follow, with its summary. */
  readonly words: readonly Candidate[];
  /** Numbers of the sets, the first one left out. */
  readonly sets: readonly number[];
  /** Of the arguments one by one; the last one goes on where `goesOn`. */
  readonly places: readonly Reference[];
  readonly goesOn: boolean;
}

export type FlagLine = readonly [name: string, takes: Reference, summary: string];

/** `topics` are what `cb help` takes beside the commands. */
export function tableOf(root: CommandNode, topics: readonly string[]): Table {
  const sets = distinct<FlagLine>();
  const values = distinct<Candidate>();
  const refer = (source: Source | undefined) => reference(source, values);
  sets.numberOf(linesOf(root.flags, refer));
  const entry = ({ path, commands, flags, places }: CommandNode): CommandEntry => ({
    path,
    words: commands.map(({ name, summary }) => [name, summary]),
    sets: path === '' ? [] : groups(flags).map((group) => sets.numberOf(linesOf(group, refer))),
    places: places.map(({ source }) => refer(source)),
    goesOn: places.at(-1)?.several ?? false,
  });
  const commands = [...all(root).map(entry), ...helpOn(root)];
  return { commands: commands.map(withTopics(topics)), sets: sets.all, values: values.all };
}

function all(node: CommandNode): CommandNode[] {
  return [node, ...node.commands.flatMap(all)];
}

/** `cb help` takes the words of every command. */
function helpOn(root: CommandNode): CommandEntry[] {
  return all(root)
    .filter(({ path, commands }) => path !== '' && commands.length > 0)
    .map(({ path, commands }) => ({
      path: `help ${path}`,
      words: commands.map(({ name, summary }) => [name, summary]),
      sets: [],
      places: [],
      goesOn: false,
    }));
}

function withTopics(topics: readonly string[]) {
  let words: readonly Candidate[] = [];
  return (entry: CommandEntry): CommandEntry => {
    if (entry.path === '') words = entry.words.filter(([name]) => name !== 'help');
    if (entry.path !== 'help') return entry;
    const others = topics.filter((topic) => !words.some(([name]) => name === topic));
    const more = others.map((topic): Candidate => [topic, 'a topic']);
    return { ...entry, words: [...words, ...more], places: [] };
  };
}

function groups(flags: readonly Flag[]): readonly (readonly Flag[])[] {
  const byHeading = new Map<string, Flag[]>();
  for (const flag of flags.filter(({ names }) => !names.includes('--help'))) {
    byHeading.set(flag.group, [...(byHeading.get(flag.group) ?? []), flag]);
  }
  return [...byHeading.values()];
}

function linesOf(
  flags: readonly Flag[],
  refer: (source: Source | undefined) => Reference,
): FlagLine[] {
  return flags.flatMap(({ names, source, brief }) =>
    names.map((name): FlagLine => [name, refer(source), brief]),
  );
}

function reference(source: Source | undefined, values: Distinct<Candidate>): Reference {
  if (!source) return '';
  if (source.kind === 'dynamic') return `ask:${source.of}`;
  if (source.kind !== 'values') return source.kind;
  return `${source.several ? 'several' : 'values'}:${values.numberOf(source.values)}`;
}

interface Distinct<Item> {
  readonly all: readonly (readonly Item[])[];
  numberOf(list: readonly Item[]): number;
}

/** Lists by number, equal ones once. */
function distinct<Item>(): Distinct<Item> {
  const all: (readonly Item[])[] = [];
  const numbers = new Map<string, number>();
  return {
    all,
    numberOf(list) {
      const text = JSON.stringify(list);
      const number = numbers.get(text) ?? all.push(list) - 1;
      numbers.set(text, number);
      return number;
    },
  };
}
