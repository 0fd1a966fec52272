/** Answers a word that is no command, with the commands that it may stand for. */
import type { Command } from 'commander';
import { nearest } from '../flags/nearest.ts';
import { type Failure, usage } from '../runtime/failure.ts';
import { commandOn, isReceipt, isTicket, optionFor } from './by-form.ts';
import { Unclear } from './mistake.ts';
import { commandsBelow, looksLikeKey, oneOf, pathOf, shellWord } from './say.ts';
import { allPhrases, answers, nameFor, otherWords } from './words.ts';

/** Says what each way is for; only those whose place the next word fits, if it fits any. */
export function unclear({ phrase, ways, next }: Unclear): Failure {
  const filled = Object.entries(ways).flatMap(([purpose, command]) => {
    const [place = ''] = /<\w+>/.exec(command) ?? [];
    const fits = next !== undefined && !looksLikeKey(next) && fitting[place]?.(next);
    return fits ? [[purpose, command.replace(place, () => shellWord(next))]] : [];
  });
  const shown = filled.length > 0 ? filled : Object.entries(ways);
  const lines = shown.map(([purpose, command]) => `cb ${command} to ${purpose}`);
  const last = lines.length > 1 ? `, or ${lines.pop()}` : '';
  return usage(`'cb ${phrase}' is not a command.`, { hint: `Use ${lines.join(', ')}${last}.` });
}

/** By place: whether a word can stand there. */
const fitting: Readonly<Record<string, (word: string) => boolean>> = {
  '<receipt>': isReceipt,
  '<id>': isTicket,
  '<email>': (word) => word.includes('@'),
  '<file>': (word) => word.includes('.'),
  '<sku>': () => true,
  '<name>': () => true,
};

/** `group` has commands, and `words` is what was typed after it. */
export function unknownCommand(group: Command, words: readonly string[], root: Command): Failure {
  const [word = '', ...rest] = words;
  const path = pathOf(group);
  const typed = [path, word].filter(Boolean).join(' ');
  const answer = answerOn(path, word, rest);
  if (answer) return unclear(answer);
  const meant = meantBy(word, rest, group, root);
  const names = group.commands.map((command) => command.name());
  const list =
    path === ''
      ? 'Use cb --help to list the commands.'
      : `Use one of: ${names.map((name) => `cb ${path} ${name}`).join(', ')}.`;
  const hint = meant.length > 0 ? `Did you mean ${oneOf(meant)}?` : list;
  return usage(`Unknown command '${typed}'.`, { hint });
}

/** `delete 1001` and `tickets 1001 delete`: a verb that is answered, and what it is about. */
function answerOn(path: string, word: string, [next = '']: readonly string[]): Unclear | undefined {
  const isVerbFirst = path === '';
  const [data, verb] = isVerbFirst ? [next, word] : [word, next];
  const [group] = commandOn(data, path)?.split(' ') ?? [];
  const ways = answers.get(`${group} ${verb.toLowerCase()}`);
  return ways && new Unclear(isVerbFirst ? verb : `${group} ${verb}`, ways, data);
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
  const known = lineOn(word, rest, path, root);
  if (known) return [known];
  const parts = small.split(/[\s.:/_-]+/);
  const joined = parts.length > 1 && commandFor(parts, group);
  if (joined) return [`cb ${joined}`];
  const list = group.commands.find((command) => path !== '' && command.name() === 'list');
  const option = list && optionFor(list, word);
  if (option) return [`cb ${path} list ${option}`];
  const near = nearestBelow(small, group);
  if (near) return [withMore(near, rest, root)];
  if (path === 'config')
    return [`cb config ${[rest.length > 0 ? 'set' : 'get', word, ...rest].join(' ')}`];
  if (path !== '') return [];
  const swapped = verbIn(small, rest, group);
  return swapped ? [swapped] : withoutGroup(small, rest, root);
}

/** A receipt, a ticket or a setting in the place of a command, perhaps with the verb after it. */
function lineOn(
  word: string,
  [verb = '', ...more]: readonly string[],
  path: string,
  root: Command,
): string | undefined {
  if (path === 'alias' && (verb || word.includes('='))) {
    const [, name = word, line = [verb, ...more].join(' ')] = /^([\w-]+)=(.*)$/s.exec(word) ?? [];
    return `cb alias set ${name} ${shellWord(line)}`;
  }
  const data = commandOn(word, path);
  if (!data) return undefined;
  const [group = ''] = data.split(' ');
  const names = commandsBelow(root).filter((one) => pathOf(one) === `${group} ${one.name()}`);
  const small = verb.toLowerCase();
  const name = nameFor(
    small,
    names.map((one) => one.name()),
  );
  const phrase = allPhrases.get(`${group} ${small}`);
  return `cb ${phrase ?? (name ? `${group} ${name}` : data)} ${shellWord(word)}`;
}

/** The commands of that name in all groups, or the one that suits the word after it. */
function withoutGroup(verb: string, [next]: readonly string[], root: Command): string[] {
  const commands = commandsBelow(root).filter(
    (command) => command.commands.length === 0 && fits(verb, command.name()),
  );
  const data = next === undefined ? undefined : commandOn(next, '');
  const isRead = fits(verb, 'list') || fits(verb, 'get') || commands.length === 0;
  if (data && isRead) return [`cb ${data} ${next}`];
  const search = `cb find ${shellWord(next ?? '')}`;
  if (fits(verb, 'list') && next?.includes('@')) return [search];
  const lines = commands.flatMap((command) => lineWith(command, next) ?? []);
  const isName = fits(verb, 'list') && /^\p{L}+$/u.test(next ?? '');
  return lines.length > 0 || !isName ? lines.slice(0, 4) : [search];
}

/** A command with a word after it, as it takes it. */
function lineWith(command: Command, word: string | undefined): string | undefined {
  const line = `cb ${pathOf(command)}`;
  if (word === undefined) return line;
  const [argument] = command.registeredArguments;
  if (!argument && !word.startsWith('-')) {
    const option = optionFor(command, word);
    return option && `${line} ${option}`;
  }
  const isFit = fitting[`<${argument?.name()}>`] ?? (() => true);
  return isFit(word) || word.startsWith('-') ? `${line} ${shellWord(word)}` : undefined;
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

/** A verb, misspelt or not, before the name of a group: `lsit orders`, `run orders list`. */
function verbIn(verb: string, rest: readonly string[], root: Command): string | undefined {
  const [noun = '', next = ''] = rest.map((word) => word.toLowerCase());
  const name = nameFor(
    noun,
    root.commands.map((one) => one.name()),
  );
  const group = root.commands.find((one) => one.name() === name);
  if (!group) return undefined;
  const near = nearestBelow(verb, group);
  if (near) return `cb ${near}`;
  const after = nameFor(
    next,
    group.commands.map((one) => one.name()),
  );
  return after && `cb ${name} ${after}`;
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
