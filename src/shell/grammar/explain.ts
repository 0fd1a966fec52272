/** What cb says about a line that it can't run: what is wrong, and what to type. Loaded only for such a line. */
import type { Option } from 'commander';
import { isFormat } from '../argv.ts';
import type { Branch } from '../define.ts';
import { type Failure, usage } from '../failure.ts';
import { missingValue } from '../options/findings.ts';
import { valuesMeant } from '../options/flags.ts';
import { nearest } from '../options/nearest.ts';
import { isNamed, Mistake, parserOf, untilEnd } from '../parse.ts';
import { shellWord } from '../shell-word.ts';
import { correct, descend, type Unclear } from './correct.ts';
import {
  acceptedOptions,
  allPhrases,
  nameFor,
  optionAdvice,
  otherOptions,
  otherWords,
} from './words.ts';

export function explain(
  { branch, refusal, named, left }: Mistake,
  tokens: readonly string[],
  root: Branch,
): Failure {
  const { path, args } = branch;
  if (tokens.some(looksLikeKey)) return keyTyped();
  if (path.startsWith('ins') && tokens.some((word) => isSecretFor(path, word))) {
    return typedOpenly('secret', 'cb ins secrets add', ', or set CB_INS_SECRET');
  }
  if (path === 'alias set' && left.length > 2) {
    const line = shellWord(tokens.slice(tokens.indexOf(left[0] ?? '', 2) + 1).join(' '));
    const hint = `Did you mean cb alias set ${left[0]} ${line}?`;
    return usage('The command of an alias needs quotes.', { hint });
  }
  if (refusal === 'unknownOption') {
    return unknownOption(branch, asTyped(named, tokens), tokens[tokens.indexOf(named) + 1], root);
  }
  if (refusal === 'optionMissingArgument') return missingValue(branch, named, left[0]);
  if (refusal === 'missingArgument') {
    const takes = args.map((one) => `<${one.name()}>`).join(' ');
    return usage(`<${named}> is missing.`, { hint: `Use ${branch.line} ${takes}.` });
  }
  if (branch.isGroup) return unknownCommand(branch, left, root);
  const [first = '', ...others] = left.slice(args.length);
  if (/^(login|logout|whoami)$/.test(path) && /^[a-z][a-z0-9_-]{0,15}$/.test(first)) {
    const hint = `Did you mean ${branch.line} --profile ${first}?`;
    return usage(`'${path}' takes no arguments.`, { hint });
  }
  return path === 'login' ? keyTyped() : extraWords(branch, [first, ...others], tokens);
}

/**
 * The tokens that a refused line stands for; undefined if it is spelled as the help spells it. Throws a failure for a
 * phrase with several meanings, and for a command that changes something: it only runs as it is typed.
 */
export function readable(typed: readonly string[], root: Branch): readonly string[] | undefined {
  const corrected = correct(typed, root);
  if (!corrected) return undefined;
  if ('phrase' in corrected) throw unclear(corrected);
  const { tokens, branch } = corrected;
  const isHelp = untilEnd(tokens).some((token) => /^(-h|--help)$/.test(token));
  if (!branch.isWrite || isHelp) return tokens;
  if (tokens.some(looksLikeKey)) throw keyTyped();
  try {
    parserOf(tokens, root, () => () => undefined).parse([...tokens], { from: 'user' });
  } catch (error) {
    if (error instanceof Mistake && error.refusal !== 'help') {
      const asTyped = typed.find((token) => acceptedOptions.get(token) === error.named);
      throw asTyped
        ? unknownOption(branch, asTyped, undefined, root)
        : explain(error, tokens, root);
    }
  }
  throw usage('A command that writes or deletes must be typed exactly.', {
    hint: `Nothing was sent. Did you mean cb ${tokens.map(shellWord).join(' ')}?`,
  });
}

/** Says what each command is for. If all commands have the same placeholder, the next word replaces it. */
function unclear({ phrase, ways, next }: Unclear): Failure {
  const places = Object.values(ways).flatMap((command) => /<\w+>/.exec(command) ?? []);
  const isSame = next !== undefined && !looksLikeKey(next) && new Set(places).size === 1;
  const lines = Object.entries(ways).map(([purpose, command]) => {
    const filled = isSame ? command.replace(/<\w+>/, () => shellWord(next)) : command;
    return `cb ${filled} to ${purpose}`;
  });
  const last = lines.length > 1 ? `, or ${lines.pop()}` : '';
  return usage(`'cb ${phrase}' is not a command.`, { hint: `Use ${lines.join(', ')}${last}.` });
}

/** An API key, perhaps as the value of an option. */
function looksLikeKey(text: string): boolean {
  return /^(--?[\w-]+=)?(API|DEV)-\w{6,}/i.test(text);
}

/** What was typed is not repeated: an error may be logged. */
function typedOpenly(what: string, command: string, more = ''): Failure {
  return usage(`No command takes a ${what}, because other users of this machine could read it.`, {
    hint: `Use ${command}, and paste the ${what} when prompted${more}.`,
  });
}

export const keyTyped = () => typedOpenly('key', 'cb login');

/** Secrets of notifications are capital letters and digits, as no name of a secret is. */
function isSecretFor(path: string, word: string): boolean {
  if (/^--secret(?:-key)?(?:=|$)/.test(word)) return true;
  return path.startsWith('ins secrets') && /^(?:--?[\w-]+=)?[A-Z0-9]{4,16}$/.test(word);
}

/** commander reads -yes as -y -e -s, and names the rest that it does not know. */
function asTyped(option: string, tokens: readonly string[]): string {
  if (option.startsWith('--') || tokens.includes(option)) return option;
  const isWhole = (token: string) => /^-\w/.test(token) && token.endsWith(option.slice(1));
  return tokens.find(isWhole) ?? option;
}

function extraWords(branch: Branch, extra: readonly string[], tokens: readonly string[]): Failure {
  const quoted = extra.map((word) => `'${word}'`).join(' ');
  const takes = branch.args.map((one) => `<${one.name()}>`);
  const what = takes.length > 0 ? `only ${takes.join(' ')}` : 'no arguments';
  const message = `Unexpected ${extra.length === 1 ? 'word' : 'words'} ${quoted}: '${branch.path}' takes ${what}.`;
  const at = tokens.indexOf(extra[0] ?? '');
  const hint = valueMeant(branch, tokens[at - 2], [tokens[at - 1] ?? '', ...extra]);
  return usage(message, { hint: hint ?? optionMeant(branch, extra) });
}

/** The words belong to the value right before them: it is a list, or needs quotes. */
function valueMeant({ allOptions }: Branch, name = '', words: readonly string[]) {
  const option = allOptions.find((one) => one.required && isNamed(one, name));
  if (option?.long === '--fields' || (option && choiceIn(option, words[1] ?? ''))) {
    return `Did you mean ${name} ${words.join(',').replaceAll(/,+/g, ',')}?`;
  }
  const mayHaveSpace = /<(text%?|name|file|date|period)>/.test(option?.flags ?? '');
  const whole = `${name} ${shellWord(words.join(' '))}`;
  return mayHaveSpace ? `A value with a space needs quotes, as in ${whole}.` : undefined;
}

/** The name of an option without its dashes, or a value without its option: `limit 3`, `limit=3`, `RFND`. */
function optionMeant({ allOptions, line }: Branch, [first = '', next]: readonly string[]): string {
  const [name = '', value = next] = first.split(/[=:]/);
  const named = allOptions.find(({ long }) => long === `--${name}`);
  if (named) return `Did you mean ${named.long}${named.required && value ? ` ${value}` : ''}?`;
  return choiceAmong(allOptions, first) ?? `Use ${line} --help to list its options.`;
}

function choiceAmong(options: readonly Option[], word: string): string | undefined {
  const option = options.find((one) => choiceIn(one, word));
  return option && `Did you mean ${option.long} ${choiceIn(option, word)}?`;
}

/** The value of an option that a word stands for. */
function choiceIn({ param }: Option, word: string): string | undefined {
  return param && !param.coded ? valuesMeant(param, word, param.values ?? {})[0] : undefined;
}

/** `words` is what was typed after a group. */
function unknownCommand(group: Branch, words: readonly string[], root: Branch): Failure {
  const [word = '', ...rest] = words;
  const { path } = group;
  const meant = meantBy(word, rest, group, root);
  const list = `Use one of: ${group.commands.map(({ line }) => line).join(', ')}.`;
  const find = `, or cb find ${shellWord(word)} to find an order, a ticket or a customer`;
  const all = `Use cb --help to list the commands${rest.length === 0 ? find : ''}.`;
  const hint = meant.length > 0 ? `Did you mean ${oneOf(meant)}?` : path === '' ? all : list;
  return usage(`Unknown command '${`${path} ${word}`.trim()}'.`, { hint });
}

/** Command lines, the most likely first. */
function meantBy(word: string, rest: readonly string[], group: Branch, root: Branch): string[] {
  const { path } = group;
  const small = word.toLowerCase();
  const more = rest.map(shellWord).join(' ');
  if (path === 'alias' && more) return [`cb alias set ${word} ${more}`];
  const named = (words: readonly string[], from = group) => {
    const { branch, count } = descend(words, from, nameFor);
    return count === words.length ? branch : undefined;
  };
  // As in list-orders, or orders.list.
  const [first = '', ...others] = small.split(/[\s.:/_-]+/);
  const joined = others[0] ? (named([first, ...others]) ?? named([...others, first])) : undefined;
  if (joined) return [joined.line];
  const near = nearestBelow(small, group);
  if (near) {
    const [next] = rest;
    const found = root.at(near.split(' '));
    return [`cb ${(found && next && nearestBelow(next.toLowerCase(), found)) || near}`];
  }
  if (path === 'config') return [`cb config ${more ? 'set' : 'get'} ${word}${more && ` ${more}`}`];
  if (path !== '') return [];
  const [noun = '', verb = ''] = rest.map((one) => one.toLowerCase());
  const below = named([noun]);
  const swapped = below && (nearestBelow(small, below) ?? named([verb], below)?.path);
  if (swapped) return [`cb ${swapped}`];
  // The commands of that name in all groups, with the word after it.
  const alike = root.below.filter(({ name, isGroup }) => !isGroup && nameFor(small, [name]));
  const takesWord = ({ args }: Branch) => args.length > 0 || rest[0]?.startsWith('-');
  return alike.slice(0, 4).map((one) => (takesWord(one) ? `${one.line} ${more}`.trim() : one.line));
}

/** The command, or the phrase, whose name was misspelt. */
function nearestBelow(word: string, { commands, path }: Branch): string | undefined {
  const names = commands.map(({ name }) => name);
  const others = new Map(
    names.flatMap((name) => (otherWords[name]?.split(' ') ?? []).map((other) => [other, name])),
  );
  const near = nearest(word, names) ?? others.get(nearest(word, [...others.keys()]) ?? '');
  if (near || path !== '') return near && `${path} ${near}`.trim();
  const single = [...allPhrases.keys()].filter((phrase) => !phrase.includes(' '));
  return allPhrases.get(nearest(word, single) ?? '');
}

/** `option` as it was typed, perhaps with its value; `next` is the token after it. */
function unknownOption(branch: Branch, option: string, next: string | undefined, root: Branch) {
  const [name = ''] = option.split(/[=:]/);
  const bare = name.replace(/^-+/, '').toLowerCase().replaceAll('_', '-');
  const own = namesOf(branch);
  const value = option.includes('=') || next?.startsWith('-') ? undefined : next;
  const first = branch.isGroup ? branch.below.find((one) => has(one, name)) : undefined;
  if (first) {
    const rest = value === undefined ? option : `${option} ${shellWord(value)}`;
    const hint = `Did you mean ${first.line} ${rest}?`;
    return usage(`${name} needs a command before it.`, { hint });
  }
  if (own.includes(name) || isFormat(name)) return wronglyJoined(branch, option, name);
  const isElsewhere = !branch.isGroup && root.below.some((one) => has(one, name));
  const what = isElsewhere ? `'${branch.path}' has no ${name}.` : `Unknown option '${name}'.`;
  // The command that has it says more than an option that is spelled alike.
  const alike = isElsewhere ? undefined : nearestOption(bare, own);
  const choice = choiceAmong(branch.allOptions, bare);
  const hint = meantOption(bare, own) ?? choice ?? alike ?? needless(branch, bare);
  return usage(what, { hint: hint ?? placeOf(branch, name, bare, value) });
}

function has(branch: Branch, name: string): boolean {
  return branch.options.some((one) => isNamed(one, name));
}

function namesOf(branch: Branch): string[] {
  const shown = branch.allOptions.filter(({ hidden }) => !hidden);
  return [...shown.flatMap(({ long, short }) => [long ?? [], short ?? []].flat()), '--help', '-h'];
}

/** Permission to write, and its rehearsal, where nothing is written. */
function needless({ path, help: { effect = 'reads' } }: Branch, bare: string): string | undefined {
  if (!/^(yes|y|dry-run|force)$/.test(bare) || path === 'tickets refund') return undefined;
  if (path === 'approve') return 'Leave it out: a person must answer in a terminal.';
  if (effect === 'reads') return `Leave it out: '${path}' changes nothing.`;
  return bare === 'dry-run' ? undefined : `Leave it out: '${path}' does not ask for confirmation.`;
}

/** --raw=true, --csv=orders.csv, --limit:3 for --limit 3, and --version 6 for a longer name. */
function wronglyJoined(branch: Branch, option: string, name: string): Failure {
  const value = shellWord(option.slice(name.length + 1));
  if (branch.allOptions.some((one) => isNamed(one, name) && one.required)) {
    return usage(`Unknown option '${option}'.`, { hint: `Did you mean ${name} ${value}?` });
  }
  const own = namesOf(branch);
  const others = meantAmong(name.replace(/^-+/, ''), own).map((one) => `${one} ${value}`);
  const file = own.includes('--out') && value.includes('.') ? ` --out ${value}` : '';
  const meant = others.length > 0 ? oneOf(others) : `${name}${file}`;
  return usage(`${name} takes no value.`, { hint: `Did you mean ${meant}?` });
}

/** By other words for an option. They come first, since a word that is similar may mean something else. */
function meantOption(bare: string, own: readonly string[]): string | undefined {
  const meant = meantAmong(bare, own);
  if (meant.length > 1) return `Use ${oneOf(meant.slice(0, 3))}.`;
  if (meant.length === 1) {
    const isSale = meant[0] === '--vendor' && own.includes('--role');
    const role = isSale
      ? ' For what your account earned as an affiliate, use --role AFFILIATE.'
      : '';
    return `Did you mean ${meant[0]}?${role}`;
  }
  return Object.hasOwn(optionAdvice, bare) ? optionAdvice[bare] : undefined;
}

function meantAmong(bare: string, own: readonly string[]): string[] {
  return own.filter((one) => otherOptions[one]?.split(' ').includes(bare));
}

function nearestOption(bare: string, own: readonly string[]): string | undefined {
  // Capitals, as in -Y.
  const near = bare.length > 1 ? nearest(`--${bare}`, own) : own.find((one) => one === `-${bare}`);
  return near && `Did you mean ${near}?`;
}

/** What `cb find` finds by its words. */
const searched = new Set(['email', 'name', 'last-name', 'receipt', 'customer', 'ticket', 'order']);

/**
 * What the command takes instead, as `<receipt>` for --receipt and for --id, or the command of the same group that has the
 * option. An option of another group would mean something else.
 */
function placeOf(branch: Branch, name: string, bare: string, value: string | undefined): string {
  const group = branch.parent?.parent ? branch.parent.commands : [];
  if (branch.path === 'find' && searched.has(bare)) {
    return `Did you mean cb find ${value === undefined ? '<words>' : shellWord(value)}?`;
  }
  for (const one of [branch, ...group.filter((one) => one.name === 'get')]) {
    const place = one.args[0]?.name() ?? '';
    if (bare !== place && !(bare === 'id' && /^(receipt|sku)$/.test(place))) continue;
    return `Did you mean ${one.line} ${value === undefined ? `<${place}>` : shellWord(value)}?`;
  }
  const all = `Use ${branch.line} --help to list its options.`;
  for (const one of group) {
    const real = has(one, name) ? name : meantAmong(bare, namesOf(one))[0];
    if (real) return `Use ${real} with ${one.line}. ${all}`;
  }
  return all;
}

/** `a`, `a or b`, `a, b, or c`. */
function oneOf(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  if (items.length < 3) return items.join(' or ');
  return `${items.slice(0, -1).join(', ')}, or ${last}`;
}
