/** Other spellings of a line that commander has refused. The line is not changed: `correct` returns another one. */
import { isFormat } from '../argv.ts';
import type { Branch } from '../define.ts';
import { isNamed, untilEnd } from '../parse.ts';
import { acceptedOptions, allPhrases, answers, nameFor, type Ways } from './words.ts';

export interface Corrected {
  readonly tokens: readonly string[];
  /** The command of the tokens, as far as they name one. */
  readonly branch: Branch;
}

/** A phrase that could mean several commands, or a write that does more than it says. */
export interface Unclear {
  readonly phrase: string;
  readonly ways: Ways;
  /** The word after the phrase. */
  readonly next: string | undefined;
}

/** Undefined if the line is spelled as the help spells it. */
export function correct(typed: readonly string[], root: Branch): Corrected | Unclear | undefined {
  const end = untilEnd(typed).length;
  const own = typed.slice(/^cb(\.exe)?$/.test(typed[0] ?? '') ? 1 : 0, end);
  if (own.length === 1 && own[0] === '-v') return { tokens: ['--version'], branch: root };
  const parts = partsOf(own, root);
  const read = readCommand(
    parts.flatMap(({ word }) => word ?? []),
    root,
  );
  if ('phrase' in read) return read;
  const tokens = [...inOrder(parts, read), ...typed.slice(end)];
  return tokens.join('\0') === typed.join('\0') ? undefined : { tokens, branch: read.branch };
}

interface Part {
  readonly tokens: readonly string[];
  readonly word?: string;
  /** An option of cb, which may stand anywhere. */
  readonly isCommon?: boolean;
}

function partsOf(own: readonly string[], root: Branch): readonly Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < own.length; at++) {
    const token = own[at] ?? '';
    if (!/^(-.|\/\?$)/.test(token)) {
      parts.push({ tokens: [token], word: token });
      continue;
    }
    const spelled = spellingOf(token);
    const [name = ''] = (spelled[0] ?? '').split('=');
    const isCommon = isFormat(name) || root.options.some((one) => isNamed(one, name));
    const first = parts.find(({ word }) => word !== undefined)?.word;
    const isFree = spelled.join() === name && isFollowed(name, own[at + 1], first, root);
    // The value stays as typed: in `--comment -n5`, -n5 is the comment.
    parts.push({ tokens: isFree ? [name, own[++at] ?? ''] : spelled, isCommon });
  }
  return parts;
}

function spellingOf(token: string): readonly string[] {
  const [, count] = /^-n=?(\d+)$/.exec(token) ?? [];
  if (count !== undefined) return ['--limit', count];
  if (token.startsWith('-o=')) return [token.replace('-o=', '--output=')];
  return [isFormat(token) ? token.replace(/^--?/, '--') : (acceptedOptions.get(token) ?? token)];
}

/** Whether an option is followed by its value. An unknown option is, unless a command follows it. */
function isFollowed(
  name: string,
  next: string | undefined,
  first: string | undefined,
  root: Branch,
) {
  if (next === undefined || /^(-h|--help)$/.test(name)) return false;
  const names = root.commands.map((one) => one.name);
  const named = first && nameFor(first.toLowerCase(), names);
  const below = root.commands.filter((one) => !named || one.name === named);
  const short = /^-\w./.test(name) ? name.slice(0, 2) : name;
  const known = [root, ...below, ...below.flatMap((one) => one.below)].flatMap(({ options }) =>
    options.filter((one) => isNamed(one, short)),
  );
  if (known.length > 0) return short === name && known.some(({ required }) => required);
  const word = next.toLowerCase();
  return !/^-./.test(next) && !allPhrases.has(word) && nameFor(word, names) === undefined;
}

const helpWords: readonly string[] = ['help', '?', 'man'];

/** The tokens with those of the command first, after options of cb that stood before them. */
function inOrder(parts: readonly Part[], { command, count, branch }: Reading): readonly string[] {
  const places = parts.flatMap(({ word }, at) => (word === undefined ? [] : [at]));
  const end = count === 0 ? 0 : (places[count - 1] ?? 0) + 1;
  const before = parts.slice(0, end);
  const after = parts.slice(end);
  const words = before.flatMap(({ word }) => word ?? []);
  const common = before.filter(({ isCommon }) => isCommon);
  const own = before.filter(({ word, isCommon }) => word === undefined && !isCommon);
  const isInPlace = own.length === 0 && words.join(' ') === command.join(' ');
  // `help` right after a command asks for its help.
  const isHelp = branch.parent && helpWords.includes(after[0]?.word?.toLowerCase() ?? '');
  if (isHelp) after[0] = { tokens: ['--help'] };
  const first = isInPlace ? before : [...common, { tokens: command }, ...own];
  return [...first, ...after].flatMap(({ tokens }) => tokens);
}

/** A command, the tokens that name it, and how many of the words they stand for. */
interface Reading {
  readonly branch: Branch;
  readonly command: readonly string[];
  readonly count: number;
}

function readCommand(typed: readonly string[], root: Branch): Reading | Unclear {
  const words = typed.map((word) => word.toLowerCase());
  const [first = ''] = words;
  if (helpWords.includes(first)) {
    return { branch: root.at(['help']) ?? root, command: ['help'], count: 1 };
  }
  const exact = descend(words, root, (word, names) => names.find((name) => name === word));
  if (exact.count > 0 && exact.branch.commands.length === 0) return exact;
  const phrase = phraseIn(words, root, allPhrases);
  if (phrase) {
    // The command of a phrase can have options, and be a group whose command follows.
    const [path = '', options = ''] = ` ${phrase.means}`.split(/ (?=--)(.*)/);
    const [names, own] = [path, options].map((text) => text.split(' ').filter(Boolean));
    const more = descend(words.slice(phrase.count), root.at(names ?? []) ?? root, nameFor);
    const command = [...more.command, ...(own ?? [])];
    return { branch: more.branch, command, count: phrase.count + more.count };
  }
  const swapped = verbFirst(words, root);
  if (swapped) return swapped;
  const answer = phraseIn(words, root, answers);
  if (!answer) return descend(words, root, nameFor);
  return { phrase: answer.said, ways: answer.means, next: typed[answer.count] };
}

/** The branch that the words name, as far as they name one. */
export function descend(
  words: readonly string[],
  from: Branch,
  find: (word: string, names: readonly string[]) => string | undefined,
): Reading {
  const [word, ...rest] = words;
  const names = from.commands.map((one) => one.name);
  const name = word === undefined ? undefined : find(word, names);
  const next = from.commands.find((one) => one.name === name);
  if (!next) return { branch: from, command: from.path.split(' ').filter(Boolean), count: 0 };
  const below = descend(rest, next, find);
  return { ...below, count: below.count + 1 };
}

interface Phrase<Meaning> {
  readonly said: string;
  readonly count: number;
  readonly means: Meaning;
}

/** The longest phrase at the beginning, with groups under any of their names. */
function phraseIn<Meaning>(
  words: readonly string[],
  root: Branch,
  phrases: ReadonlyMap<string, Meaning>,
): Phrase<Meaning> | undefined {
  const groups = root.commands.map((one) => one.name);
  let said = '';
  let found: Phrase<Meaning> | undefined;
  for (const [at, word] of words.entries()) {
    const typed = `${said} ${word}`.trim();
    said = phrases.has(typed) ? typed : `${said} ${nameFor(word, groups) ?? word}`.trim();
    const means = phrases.get(said);
    if (means !== undefined) found = { said, count: at + 1, means };
  }
  return found;
}

/** `list orders`, `add ship notice`: the same words with the verb at the end. */
function verbFirst([verb = '', ...words]: readonly string[], root: Branch): Reading | undefined {
  const group = descend(words, root, nameFor);
  const found = group.count > 0 ? descend([verb], group.branch, nameFor) : undefined;
  return found && found.count > 0 ? { ...found, count: group.count + 1 } : undefined;
}
