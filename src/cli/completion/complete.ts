/**
 * `cb __complete -- WORDS…`: the candidates for the last word, each a line `WORD TAB MEANING`, where WORD replaces all of
 * the last word. The scripts keep those that begin with what is typed. A last line `:files` stands for the names of
 * files, and `:list` says that a comma and another value can follow. Sends nothing, asks nothing, reports no error.
 */
import type { Command } from 'commander';
import { readRecent } from '../endpoint/recent.ts';
import { readArgv } from '../runtime/argv.ts';
import type { Context } from '../runtime/context.ts';
import { profilesOf } from '../session/session.ts';
import type { Candidate, Dynamic, Source } from './candidates.ts';
import { builtStore, type CompletionStore, type StoredCommand, type StoredFlag } from './store.ts';

/** `loadProgram` makes the whole command tree, for a cb that runs from source. Never rejects. */
export async function complete(
  argv: readonly string[],
  context: Context,
  loadProgram: () => Promise<Command>,
): Promise<void> {
  const typed = (argv[0] === '--' ? argv.slice(1) : argv).map(unquoted);
  // A warning about the mode of a file would be lost here: a later command prints it, and mends the mode.
  const quiet: Context = Object.create(context, { user: { value: undefined } });
  try {
    const store = builtStore() ?? (await storeFrom(await loadProgram()));
    const lines = await candidatesFor(typed, quiet, store);
    context.stdout.write(lines.map((line) => `${line}\n`).join(''));
  } catch {
    // The shell would show an error inside the line that a person is typing.
  }
}

/** bash and PowerShell pass words with the quotes that were typed. */
function unquoted(word: string): string {
  return word.replace(/^(["'])(.*?)\1?$/s, '$2');
}

async function storeFrom(program: Command): Promise<CompletionStore> {
  const [{ readTree }, { completionStore }] = await Promise.all([
    import('./tree.ts'),
    import('./store.ts'),
  ]);
  return completionStore(readTree(program));
}

async function candidatesFor(
  typed: readonly string[],
  context: Context,
  store: CompletionStore,
): Promise<string[]> {
  const before = typed.slice(0, -1);
  const current = typed.at(-1) ?? '';
  const { command, flags, source, count, isHelp, ended } = readLine(before, store);
  const offer = (source: Source | undefined, value: string, prefix = '') =>
    linesOf(source, value, prefix, (kind) => dynamicValues(kind, before, context));
  if (source) return offer(source, current);
  const [, name = '', value = ''] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  if (name && !ended) return offer(flagNamed(name, flags)?.source, value, `${name}=`);
  if (current.startsWith('-') && !ended) {
    return flags.flatMap(({ names, summary }) => names.map((name) => line([name, summary])));
  }
  if (isHelp) return (await helpWords(command, store)).map(line);
  if (count === 0 && command.commands.length > 0) return command.commands.map(line);
  const last = command.places.length - 1;
  return offer(command.places[command.repeatsLast ? Math.min(count, last) : count], current);
}

interface Line {
  readonly command: StoredCommand;
  /** Those of the command, and those that every command takes. */
  readonly flags: readonly StoredFlag[];
  /** Of the flag before the cursor, if it takes a value. */
  readonly source: Source | undefined;
  /** The number of arguments before the cursor. */
  readonly count: number;
  /** The words follow `cb help`. */
  readonly isHelp: boolean;
  /** By `--`, after which no flags follow. */
  readonly ended: boolean;
}

function readLine(words: readonly string[], store: CompletionStore): Line {
  const root = stored('', store);
  const line = { command: root, flags: root.flags, count: 0, isHelp: false, ended: false };
  let path = '';
  let source: Source | undefined;
  for (const word of words) {
    if (source) source = undefined;
    else if (word === '--' && !line.ended) line.ended = true;
    else if (/^-./.test(word) && !line.ended) source = flagNamed(word, line.flags)?.source;
    else if (word === 'help' && path === '') line.isHelp = true;
    else if (line.count === 0 && line.command.commands.some(([name]) => name === word)) {
      path = `${path} ${word}`.trim();
      line.command = stored(path, store);
      line.flags = [...line.command.flags, ...root.flags];
    } else line.count++;
  }
  return { ...line, source };
}

function stored(path: string, store: CompletionStore): StoredCommand {
  return JSON.parse(store[path] ?? '');
}

function flagNamed(name: string, flags: readonly StoredFlag[]): StoredFlag | undefined {
  return flags.find(({ names }) => names.includes(name));
}

/** The commands, and beside those of the program the topics. */
async function helpWords(
  { commands }: StoredCommand,
  _store: CompletionStore,
): Promise<readonly Candidate[]> {
  const known = commands.map(([name]) => name);
  if (!known.includes('help')) return commands;
  const { topics } = await import('../help/topics.ts');
  const others = topics.filter((topic) => !known.includes(topic));
  return [
    ...commands.filter(([name]) => name !== 'help'),
    ...others.map((topic): Candidate => [topic, 'a topic']),
  ];
}

/** `prefix` is what stands before the value in the word at the cursor. */
async function linesOf(
  source: Source | undefined,
  value: string,
  prefix: string,
  read: (kind: Dynamic) => Promise<readonly Candidate[]>,
): Promise<string[]> {
  if (!source || source.kind === 'free') return [];
  if (source.kind === 'files') return [':files'];
  const isList = source.kind === 'dynamic' || source.several;
  const before = isList ? value.slice(0, value.lastIndexOf(',') + 1) : '';
  const values = source.kind === 'dynamic' ? await read(source.of) : source.values;
  const lines = values.map(([word, meaning]) => line([`${prefix}${before}${word}`, meaning]));
  return source.kind === 'values' && source.several ? [...lines, ':list'] : lines;
}

function line([word, meaning]: Candidate): string {
  return meaning === '' ? word : `${word}\t${meaning}`;
}

async function dynamicValues(
  kind: Dynamic,
  words: readonly string[],
  context: Context,
): Promise<readonly Candidate[]> {
  if (kind === 'profiles') return profileNames(context);
  const { sandbox, profile } = readArgv(words);
  const recent = await readRecent({ context, flags: { sandbox, ...(profile && { profile }) } });
  return (recent[kind] ?? []).map((word) => [word, '']);
}

async function profileNames(context: Context): Promise<Candidate[]> {
  const profiles = await profilesOf({ context });
  const current = profiles.current();
  const names = profiles.names().filter((name) => plainName.test(name));
  return [
    ...names.map((name): Candidate => [name, name === current ? 'stored, in use' : 'stored']),
    ['sandbox', 'built in'],
    ['sandbox:read-only', 'built in, with a key that only reads'],
  ];
}

/** A shell could take another name for more than a word; a person may have written it into the file. */
const plainName = /^[A-Za-z0-9][\w.-]{0,63}$/;
