/** Answers a word that is no command, with the commands that it may stand for. */
import type { Command } from 'commander';
import { nearest } from '../flags/nearest.ts';
import { type Failure, usage } from '../runtime/failure.ts';
import { commandsBelow, looksLikeKey, oneOf, pathOf, shellWord } from './say.ts';
import { allPhrases, nameFor, otherWords, type Way } from './words.ts';

/** A phrase that could mean several commands, or a write that does more than it says. */
export function ambiguous(phrase: string, ways: readonly Way[], next: string | undefined): Failure {
  const written = ways.map(([purpose, command]) => `${lineFor(command, next)} to ${purpose}`);
  const message = `'cb ${phrase}' is not a command.`;
  const last = written.length - 1;
  const listed = written.map((way, at) => (at > 0 && at === last ? `or ${way}` : way));
  return usage(message, { hint: `Use ${listed.join(', ')}.` });
}

/** Fills in the first place of a command. */
function lineFor(command: string, word: string | undefined): string {
  const isKept = word === undefined || looksLikeKey(word);
  return `cb ${isKept ? command : command.replace(/<[^>]+>/, () => shellWord(word))}`;
}

/** `group` has commands, and `words` is what was typed after it. */
export function unknownCommand(group: Command, words: readonly string[], root: Command): Failure {
  const [word = '', ...rest] = words;
  const path = pathOf(group);
  const typed = [path, word].filter(Boolean).join(' ');
  const meant = meantBy(word, rest, group, root);
  const names = group.commands.map((command) => command.name());
  const list =
    path === ''
      ? 'Use cb --help to list the commands.'
      : `Use one of: ${names.map((name) => `cb ${path} ${name}`).join(', ')}.`;
  const hint = meant.length > 0 ? `Did you mean ${oneOf(meant)}?` : list;
  return usage(`Unknown command '${typed}'.`, { hint });
}

/** Command lines, the most likely first. */
function meantBy(
  word: string,
  rest: readonly string[],
  group: Command,
  root: Command,
): readonly string[] {
  const path = pathOf(group);
  const small = word.toLowerCase();
  const data = readingOf(word, path);
  if (data) return [`cb ${data} ${shellWord(word)}`];
  const parts = small.split(/[\s.:/_-]+/);
  const joined = parts.length > 1 && commandFor(parts, group);
  if (joined) return [`cb ${joined}`];
  const near = nearestBelow(small, group);
  if (near) return [withMore(near, rest, root)];
  if (path !== '') return [];
  const swapped = verbIn(small, rest, group);
  return swapped ? [swapped] : withoutGroup(small, rest, root);
}

/** The commands of that name in all groups, or the one that suits the word after it. */
function withoutGroup(verb: string, [next]: readonly string[], root: Command): string[] {
  const paths = commandsBelow(root)
    .filter((command) => command.commands.length === 0 && fits(verb, command.name()))
    .map(pathOf);
  const suited = next === undefined ? undefined : readingOf(next, '');
  const fitting = paths.filter((path) => path === suited);
  const more = next === undefined ? '' : ` ${shellWord(next)}`;
  return (fitting.length > 0 ? fitting : paths).slice(0, 4).map((path) => `cb ${path}${more}`);
}

/** A misspelt name of a command or group, or of a phrase. */
function nearestBelow(word: string, group: Command): string | undefined {
  const path = pathOf(group);
  const names = group.commands.map((command) => command.name());
  const others = new Map(
    names.flatMap((name) => (otherWords[name]?.split(' ') ?? []).map((other) => [other, name])),
  );
  const near = nearest(word, names) ?? others.get(nearest(word, [...others.keys()]) ?? '');
  if (near) return `${path} ${near}`.trim();
  return path === '' ? phraseNear(word) : undefined;
}

function phraseNear(word: string): string | undefined {
  const single = [...allPhrases.keys()].filter((phrase) => !phrase.includes(' '));
  const near = nearest(word, single);
  return near && allPhrases.get(near);
}

/** Goes on to the command of a group, where the next word names one, rightly or not. */
function withMore(path: string, rest: readonly string[], root: Command): string {
  const command = commandsBelow(root).find((one) => pathOf(one) === path);
  const [word] = rest;
  if (word === undefined || !command || command.commands.length === 0) return `cb ${path}`;
  const more = nearestBelow(word.toLowerCase(), command);
  return `cb ${more ?? path}`;
}

/** A misspelt verb before the name of a group. */
function verbIn(verb: string, [noun = '']: readonly string[], root: Command): string | undefined {
  const names = root.commands.map((command) => command.name());
  const group = root.commands.find((one) => one.name() === nameFor(noun.toLowerCase(), names));
  const near = group && nearestBelow(verb, group);
  return near && `cb ${near}`;
}

/** What a word that is a receipt or the number of a ticket is most likely typed for. */
function readingOf(word: string, path: string): string | undefined {
  if (/^\d{1,12}$/.test(word)) return ['', 'tickets'].includes(path) ? 'tickets get' : undefined;
  const isReceipt = /^(?=.*\d)[A-Z0-9]{8,}(-[A-Z]\d{3})?$/i.test(word);
  if (!isReceipt) return undefined;
  if (path === '' || path === 'orders') return 'orders get';
  return path === 'ship' ? 'ship notice list' : undefined;
}

/** A command whose name is written in one word: list-orders, orders/list. */
function commandFor(parts: readonly string[], group: Command): string | undefined {
  const prefix = pathOf(group);
  const paths = commandsBelow(group).map(pathOf);
  const ways = [parts, [...parts.slice(1), parts[0] ?? '']];
  const isMeant = (path: string) =>
    ways.some((way) => {
      const names = path.slice(prefix.length).trim().split(' ');
      return names.length === way.length && names.every((name, i) => fits(way[i] ?? '', name));
    });
  return paths.find(isMeant);
}

function fits(word: string, name: string): boolean {
  return nameFor(word, [name]) === name;
}
