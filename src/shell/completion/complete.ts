/**
 * `cb __complete -- WORDS…` prints the candidates for the last word, one line each: `WORD TAB MEANING`, where WORD
 * replaces the whole last word. The scripts keep the candidates that begin with the typed text. A last line `:files`
 * stands for file names, and `:list` means that a comma and another value can follow. Sends nothing, prompts for
 * nothing, reports no errors.
 */
import { existsSync } from 'node:fs';
import { placeOfCopy } from '../../features/sync/open-copy.ts';
import { openSqliteQueries } from '../../features/sync/query/sqlite-queries.ts';
import { plain } from '../../output/table/terminal-text.ts';
import { plainName } from '../../profiles/credentials.ts';
import { readArgv } from '../argv.ts';
import { type Context, contextFor, withoutEmptySettings } from '../context.ts';
import type { Branch } from '../define.ts';
import type { CompletionStore, StoredCommand } from '../help/description.ts';
import { aliasesOf, expandAlias } from '../session/aliases.ts';
import { profilesOf } from '../session/stored-profiles.ts';
import type { Candidate, Source } from './candidates.ts';

/** `loadCommands` returns the tree of commands if cb runs from source. Never rejects. */
export async function complete(
  [separator, ...words]: readonly string[],
  context: Context,
  loadCommands: () => Promise<Branch>,
): Promise<void> {
  // The scripts of cb 0.1 use another protocol; they get no candidates.
  if (separator !== '--') return;
  // A warning about the mode of a file would be lost here: a later command prints it, and changes the mode.
  const quiet: Context = Object.create(withoutEmptySettings(context), {
    user: { value: undefined },
  });
  try {
    const store: CompletionStore =
      typeof CB_COMPLETION === 'undefined'
        ? (await import('../help/description.ts')).completionStore(await loadCommands())
        : JSON.parse(CB_COMPLETION);
    // bash and PowerShell pass words with the quotes that were typed.
    const unquoted = words.map((word) => word.replace(/^(["'])(.*?)\1?$/s, '$2'));
    const lines = await candidatesFor(unquoted, quiet, store);
    context.stdout.write(lines.map((line) => `${line}\n`).join(''));
  } catch {
    // The shell would show an error in the middle of the line that the user is typing.
  }
}

async function candidatesFor(typed: readonly string[], context: Context, store: CompletionStore) {
  const { '': root = nothing } = store;
  const before = await expandAlias(typed.slice(0, -1), context, { isPartial: true });
  const current = typed.at(-1) ?? '';
  const { command, flags, source, count, isHelp, ended } = readLine(before, store);
  const offer = async (source: Source | undefined, value: string, prefix = '') => {
    if (source?.kind === 'files') return [':files'];
    if (source?.kind === 'fields') return fieldLines(source.of, command, value, prefix);
    if (source?.kind === 'sql') return sqlLines(context, before, value);
    if (source?.kind !== 'values' && source?.kind !== 'profiles') return [];
    const isList = source.kind === 'values' && source.several;
    const values = source.kind === 'values' ? fitting(source, before) : await profileNames(context);
    const mayBeList = isList || source.kind === 'profiles';
    const start = mayBeList ? value.slice(0, value.lastIndexOf(',') + 1) : '';
    const lines = values.map(([word, meaning]) => line([`${prefix}${start}${word}`, meaning]));
    return isList ? [...lines, ':list'] : lines;
  };
  if (source) return offer(source, current);
  const [, name = '', value = ''] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  if (name && !ended) return offer(flagNamed(name, flags)?.source, value, `${name}=`);
  if (current.startsWith('-') && !ended) {
    return flags.flatMap(({ names, summary }) => names.map((name) => line([name, summary])));
  }
  if (isHelp) return (await helpWords(command)).map(line);
  if (count === 0 && command.commands.length > 0) {
    const aliases = command === root ? await aliasesOf(context).catch(() => []) : [];
    const own = aliases.map(({ name, command }): Candidate => [name, plain(command)]);
    return [...command.commands, ...own].map(line);
  }
  const last = command.places.length - 1;
  return offer(command.places[command.repeatsLast ? Math.min(count, last) : count], current);
}

/** Those that go with the value of another option, if that is on the line, as in `--type refund --reason `. */
function fitting({ values, follows }: Source & { kind: 'values' }, before: readonly string[]) {
  const option = new RegExp(`\0--${follows?.param}[\0=]([^\0]+)`).exec(before.join('\0'));
  const typed = option?.[1]?.toLowerCase();
  if (!follows || typed === undefined) return values;
  const prefixes = Object.values(follows.prefixes);
  const prefix = follows.prefixes[typed] ?? prefixes.find((one) => one.includes(`.${typed}`)) ?? '';
  return values.filter(([value]) => value.startsWith(prefix));
}

const nothing: StoredCommand = { commands: [], flags: [], places: [], repeatsLast: false };

function readLine(words: readonly string[], store: CompletionStore) {
  const { '': root = nothing } = store;
  let path = '';
  let command = root;
  let flags = root.flags;
  /** The source of the option before the cursor, if it takes a value. */
  let source: Source | undefined;
  let count = 0;
  let isHelp = false;
  /** Set by `--`, after which there are no options. */
  let ended = false;
  for (const word of words) {
    if (source) source = undefined;
    else if (word === '--' && !ended) ended = true;
    else if (/^-./.test(word) && !ended) source = flagNamed(word, flags)?.source;
    else if (word === 'help' && path === '') isHelp = true;
    else if (count === 0 && command.commands.some(([name]) => name === word)) {
      path = `${path} ${word}`.trim();
      command = store[path] ?? nothing;
      flags = [...command.flags, ...root.flags];
    } else count++;
  }
  return { command, flags, source, count, isHelp, ended };
}

function flagNamed(name: string, flags: StoredCommand['flags']) {
  return flags.find(({ names }) => names.includes(name));
}

async function helpWords({ commands }: StoredCommand): Promise<readonly Candidate[]> {
  const known = commands.map(([name]) => name);
  if (!known.includes('help')) return commands;
  const { topics } = await import('../help/topics.ts');
  const others = topics.filter((topic) => !known.includes(topic));
  return [
    ...commands.filter(([name]) => name !== 'help'),
    ...others.map((topic): Candidate => [topic, 'a topic']),
  ];
}

/** The fields that are not yet in the typed list; `prefix` is the text before the value in the word at the cursor. */
function fieldLines(
  of: 'any' | 'lists' | 'order',
  { fields = [], lists = [] }: StoredCommand,
  value: string,
  prefix: string,
): string[] {
  if (of === 'lists') return lists.map((name) => `${prefix}${name}`);
  const start = value.lastIndexOf(',') + 1;
  const [, ordered] = /^(.+):/.exec(value.slice(start)) ?? [];
  const chosen = value.slice(0, start).split(',');
  const words =
    of === 'order' && ordered !== undefined
      ? [`${ordered}:asc`, `${ordered}:desc`]
      : fields.filter((name) => !chosen.includes(name));
  return [...words.map((word) => `${prefix}${value.slice(0, start)}${word}`), ':list'];
}

function line([word, meaning]: Candidate): string {
  return meaning === '' ? word : `${word}\t${meaning}`;
}

async function profileNames(context: Context): Promise<Candidate[]> {
  const profiles = await profilesOf({ context });
  const current = profiles.current();
  const names = profiles.names().filter((name) => plainName.test(name));
  return [
    ...names.map((name): Candidate => [name, name === current ? 'stored, current' : 'stored']),
    ['sandbox', 'built in'],
    ['sandbox:read-only', 'built in, with a read-only key'],
  ];
}

/** The store as JSON, defined by the build; undefined when cb runs from source. */
declare const CB_COMPLETION: string | undefined;

/** In a query of `cb sql`: each line is the query so far with its last name completed. None without a copy. */
async function sqlLines(context: Context, words: readonly string[], typed: string) {
  const { tables, columns } = await namesIn(context, words, typed);
  if (words.includes('.schema')) return tables;
  const isSchema = typed.startsWith('.schema ');
  if (typed.startsWith('.') && !isSchema) return ['.tables', '.schema'];
  const last = /\w*$/.exec(typed)?.[0] ?? '';
  const before = typed.slice(0, typed.length - last.length);
  // After the alias of a table, as in `o.receipt`, there are only columns.
  const isColumn = before.endsWith('.') && !isSchema;
  const names = [...(isColumn ? [] : tables), ...(isSchema ? [] : columns)];
  const fitting = names.filter((name) => name.startsWith(last.toLowerCase()));
  return [...new Set(fitting)].map((name) => `${before}${name}`);
}

/** Columns are those of the tables that the query names, if it names any yet. */
async function namesIn(context: Context, words: readonly string[], typed: string) {
  const { sandbox, profile } = readArgv(words);
  const flags = { sandbox, ...(profile && { profile }) };
  const at = words.indexOf('--database');
  const place = await placeOfCopy(contextFor({ context, code: 0 }, flags), words[at + 1 || -1]);
  if (place.kind !== 'sqlite' || !existsSync(place.file)) return { tables: [], columns: [] };
  const queries = await openSqliteQueries(place.file);
  try {
    // Another program may have given the file tables whose names a shell would interpret.
    const isOffered = ({ name }: { name: string }) => /^(?!sync_)\w+$/.test(name);
    const tables = (await queries.relations()).filter(isOffered);
    const named = tables.filter(({ name }) => new RegExp(`\\b${name}\\b`, 'i').test(typed));
    return {
      tables: tables.map(({ name }) => name),
      columns: (named.length > 0 ? named : tables).flatMap(({ columns }) =>
        columns.filter(isOffered).map(({ name }) => name),
      ),
    };
  } finally {
    await queries.close();
  }
}
