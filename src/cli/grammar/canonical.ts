/**
 * Maps what people type to the command line that the help shows.
 *
 * How a line is read, by `run` of ../runtime/run.ts:
 *
 * 1. expandAlias replaces the user's own names, so an alias wins over every other spelling.
 * 2. canonicalArgv (this file, with the tables of words.ts) turns `list order -n 3` into `orders list --limit 3`.
 * 3. typed-line.ts refuses an option without its value, and another spelling of a command that changes something.
 * 4. commander parses the canonical line, or the typed one of a command that changes something.
 * 5. A line that cannot be parsed throws: Unclear for a phrase with several meanings, Mistake for what commander rejects.
 * 6. explain.ts, loaded only then, says what is wrong and what to type. extra-words.ts, unknown-command.ts and
 *    unknown-option.ts each answer one kind of mistake; by-form.ts guesses what a word is, and option-words.ts has
 *    the other names of options.
 */
import { formatNames } from '../../output/registry.ts';
import { Unclear } from './mistake.ts';
import { refuseTypography } from './typography.ts';
import { acceptedOptions, allPhrases, answers, nameFor } from './words.ts';

/** What the mapping has to know of the commands. */
export interface CommandTree {
  /** The names of the commands below a path; none for a command that can be run. */
  namesBelow(path: readonly string[]): readonly string[];
  /** Whether an option of any command, as typed, is followed by its value; undefined if no command has it. */
  takesValue(option: string): boolean | undefined;
}

/**
 * The words of the command come first, then all else in its order. A line that is canonical already comes back with the
 * same words. Throws Unclear for a phrase that could mean several commands.
 */
export function canonicalArgv(typed: readonly string[], tree: CommandTree): string[] {
  const end = typed.includes('--') ? typed.indexOf('--') : typed.length;
  const own = typed.slice(/^cb(\.exe)?$/.test(typed[0] ?? '') ? 1 : 0, end);
  refuseTypography(own);
  if (own.length === 1 && own[0] === '-v') return ['--version'];
  const tokens = canonicalOptions(own, tree).flat();
  const words = new LeadingWords(tokens, tree);
  const { command, count } = readCommand(words, tree);
  const used = new Set(words.take(count).map(({ at }) => at));
  const rest = tokens.filter((_, at) => !used.has(at));
  return [...command, ...rest, ...typed.slice(end)];
}

/** `--version 7` below `cb ins` is not that of cb. */
function isEventVersion(token: string, next = ''): boolean {
  return /^--version=/.test(token) || (token === '--version' && /^\d/.test(next));
}

function eventVersion(token: string): string[] {
  return token.replace('--version', '--event-version').split('=');
}

/**
 * One entry per token. The value of an option stays as typed: in `tickets comment 1001 --comment -n5`, -n5 is the
 * comment, and 5 must not become another ticket.
 */
function canonicalOptions(typed: readonly string[], tree: CommandTree): string[][] {
  const isAboutEvents = typed.includes('ins');
  return typed.map((token, at) => {
    if (isAboutEvents && isEventVersion(token, typed[at + 1])) return eventVersion(token);
    const canonical = canonicalOption(token);
    // Only a token with another spelling needs to know the options, because that builds all commands.
    const isKept = canonical[0] === token || isFormat(token) || !isValueAt(at, typed, tree);
    return isKept ? canonical : [token];
  });
}

/** Whether a token is the value of the option before it, and that option is not a value itself. */
function isValueAt(at: number, typed: readonly string[], tree: CommandTree): boolean {
  const option = typed[at - 1] ?? '';
  const hasValue = /^-[^=]+$/.test(option) && tree.takesValue(option) === true;
  return hasValue && !isValueAt(at - 1, typed, tree);
}

/** These are replaced even after an option that lacks its value, so that its error is JSON. */
function isFormat(token: string): boolean {
  return formatNames().some((name) => /^--?(.*)$/.exec(token)?.[1] === name);
}

function canonicalOption(token: string): string[] {
  const [, count] = /^-n=?(\d+)$/.exec(token) ?? [];
  if (count !== undefined) return ['--limit', count];
  if (token.startsWith('-o=')) return [token.replace('-o=', '--output=')];
  if (isFormat(token)) return [`--output=${token.replace(/^--?/, '')}`];
  return [acceptedOptions.get(token) ?? token];
}

interface Word {
  readonly text: string;
  /** Its place among the tokens. */
  readonly at: number;
}

/** The words of a line that are neither options nor their values, read no further than asked for. */
class LeadingWords {
  readonly #found: Word[] = [];
  readonly #tokens: readonly string[];
  readonly #tree: CommandTree;
  #next = 0;

  constructor(tokens: readonly string[], tree: CommandTree) {
    this.#tokens = tokens;
    this.#tree = tree;
  }

  /** The first words, as many as there are up to this number. */
  take(count: number): readonly Word[] {
    while (this.#found.length < count && this.#next < this.#tokens.length) {
      const at = this.#next++;
      const text = this.#tokens[at] ?? '';
      if (!/^-./.test(text)) this.#found.push({ text, at });
      else if (!text.includes('=') && this.#isFollowed(text)) this.#next++;
    }
    return this.#found.slice(0, count);
  }

  /** An unknown option has a value, unless a command follows it. `today` is a day if a command comes later. */
  #isFollowed(option: string): boolean {
    const [next = '', ...later] = this.#tokens.slice(this.#next).map((one) => one.toLowerCase());
    const names = this.#tree.namesBelow([]);
    const isCommand = () =>
      (allPhrases.has(next) || nameFor(next, names)) &&
      !(next === 'today' && later.some((word) => names.includes(word)));
    if (/^(-h|--help|-V|--version)$/.test(option)) return false;
    return this.#tree.takesValue(option) ?? !isCommand();
  }

  at(place: number): string | undefined {
    return this.typedAt(place)?.toLowerCase();
  }

  typedAt(place: number): string | undefined {
    return this.take(place + 1)[place]?.text;
  }

  /** The token right after the first words, an option perhaps. */
  tokenAfter(count: number): string | undefined {
    return this.#tokens[(this.take(count).at(-1)?.at ?? -1) + 1];
  }
}

/** The words of a command and its options, and how many of the typed words they stand for. */
interface Reading {
  readonly command: readonly string[];
  readonly count: number;
}

const helpWords: readonly (string | undefined)[] = ['help', '?', 'man'];

function readCommand(words: LeadingWords, tree: CommandTree): Reading {
  const first = words.at(0);
  if (first === undefined) return { command: [], count: 0 };
  if (helpWords.includes(first)) return helpFor(words, tree);
  const reading = commandOf(words, 0, tree);
  const isHelp = reading.count > 0 && helpWords.includes(words.tokenAfter(reading.count));
  return isHelp ? { command: [...reading.command, '--help'], count: reading.count + 1 } : reading;
}

/** `cb help WORDS`; what is no command is left to the command `help`, which has topics. */
function helpFor(words: LeadingWords, tree: CommandTree): Reading {
  const { command, count } = commandOf(words, 1, tree);
  const options = command.findIndex((word) => word.startsWith('-'));
  return {
    command: ['help', ...command.slice(0, options < 0 ? undefined : options)],
    count: count + 1,
  };
}

/** The command that begins at a word: by its names, by a phrase, by other words, or with the verb before the noun. */
function commandOf(words: LeadingWords, start: number, tree: CommandTree): Reading {
  const exact = descend(words, start, tree, (word, names) => names.find((name) => name === word));
  if (isWhole(exact, tree)) return exact;
  const phrase = phraseAt(words, start, tree, allPhrases);
  if (phrase) return goOn(phrase, words, start, tree);
  const swapped = verbFirst(words, start, tree);
  if (swapped) return swapped;
  const answer = phraseAt(words, start, tree, answers);
  if (answer) throw new Unclear(answer.said, answer.means, words.typedAt(start + answer.count));
  return descend(words, start, tree, nameFor);
}

function isWhole({ command, count }: Reading, tree: CommandTree): boolean {
  return count > 0 && tree.namesBelow(command).length === 0;
}

function descend(
  words: LeadingWords,
  start: number,
  tree: CommandTree,
  find: (word: string, names: readonly string[]) => string | undefined,
  path: readonly string[] = [],
): Reading {
  const command = [...path];
  let count = 0;
  for (let names = tree.namesBelow(command); names.length > 0; names = tree.namesBelow(command)) {
    const name = find(words.at(start + count) ?? '', names);
    if (name === undefined) break;
    command.push(name);
    count++;
  }
  return { command, count };
}

interface Phrase<Meaning> {
  readonly said: string;
  readonly count: number;
  readonly means: Meaning;
}

/** The longest phrase that begins here, with groups under any of their names. */
function phraseAt<Meaning>(
  words: LeadingWords,
  start: number,
  tree: CommandTree,
  phrases: ReadonlyMap<string, Meaning>,
): Phrase<Meaning> | undefined {
  const groups = tree.namesBelow([]);
  const known = [...phrases.keys()];
  let said = '';
  let found: Phrase<Meaning> | undefined;
  for (let count = 1; ; count++) {
    const word = words.at(start + count - 1);
    if (word === undefined) return found;
    const typed = `${said} ${word}`.trim();
    said = phrases.has(typed) ? typed : `${said} ${nameFor(word, groups) ?? word}`.trim();
    const means = phrases.get(said);
    if (means !== undefined) found = { said, count, means };
    if (!known.some((phrase) => phrase.startsWith(`${said} `))) return found;
  }
}

/** The command of a phrase can be a group, whose command follows. */
function goOn(
  { means, count }: Phrase<string>,
  words: LeadingWords,
  start: number,
  tree: CommandTree,
): Reading {
  const more = descend(words, start + count, tree, nameFor, means.split(' '));
  return { command: more.command, count: count + more.count };
}

/** `list orders`, `add ship notice`: the same words with the verb at the end. */
function verbFirst(words: LeadingWords, start: number, tree: CommandTree): Reading | undefined {
  const verb = words.at(start) ?? '';
  const group = descend(words, start + 1, tree, nameFor);
  const name = group.count > 0 && nameFor(verb, tree.namesBelow(group.command));
  return name ? { command: [...group.command, name], count: group.count + 1 } : undefined;
}
