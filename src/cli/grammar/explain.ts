/** What cb says about a line that it can't run: what is wrong, and what to type. Loaded only for such a line. */
import { catalogue } from '../../operations/index.ts';
import { nearest } from '../flags/nearest.ts';
import { isFormat } from '../runtime/argv.ts';
import type { Branch } from '../runtime/define.ts';
import { type Failure, usage } from '../runtime/failure.ts';
import { isNamed, type Mistake } from '../runtime/parse.ts';

import { correct, isWrite, type Unclear } from './correct.ts';
import { oneOf, shellWord } from './say.ts';
import { allPhrases, nameFor, optionAdvice, otherOptions, otherWords } from './words.ts';

export function explain(
  { branch, refusal, named, left }: Mistake,
  tokens: readonly string[],
  root: Branch,
): Failure {
  const { path, args } = branch;
  if (tokens.some(looksLikeKey)) return keyTyped();
  if (path.startsWith('ins') && tokens.some((word) => isSecretFor(path, word)))
    return secretTyped();
  if (path === 'alias set' && left.length > 2) return withoutQuotes(left, tokens);
  if (refusal === 'unknownOption') {
    const option = asTyped(named, tokens);
    const next = tokens[tokens.indexOf(named) + 1];
    const hasValue = !option.includes('=') && !next?.startsWith('-');
    return unknownOption(branch, option, hasValue ? next : undefined, root);
  }
  if (refusal === 'missingValue') return withoutValue(branch, named, left[0]);
  if (refusal === 'missingArgument') return withoutArgument(branch, named, left);
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
  const own = tokens.slice(0, [...tokens, '--'].indexOf('--'));
  if (!isWrite(branch) || own.some((token) => /^(-h|--help)$/.test(token))) return tokens;
  if (tokens.some(looksLikeKey)) throw keyTyped();
  const known = branch.allOptions;
  const unknown = own.find(
    (token) => /^--./.test(token) && !known.some((one) => isNamed(one, token.split('=')[0] ?? '')),
  );
  if (unknown) throw unknownOption(branch, unknown, undefined, root);
  throw usage('A command that writes or deletes must be typed exactly.', {
    hint: `Nothing was sent. Did you mean cb ${tokens.map(shellWord).join(' ')}?`,
  });
}

/** Says what each way is for. The next word takes the place in the ways if all have the same place. */
export function unclear({ phrase, ways, next }: Unclear): Failure {
  const places = Object.values(ways).map((command) => /<\w+>/.exec(command)?.[0]);
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

/** The key is not repeated: an error may be logged. */
function keyTyped(): Failure {
  return usage('No command takes a key, because other users of this machine could read it.', {
    hint: 'Use cb login, and paste the key when it asks for it.',
  });
}

/** Secrets of notifications are capital letters and digits, as no name of a secret is. */
function isSecretFor(path: string, word: string): boolean {
  if (/^--secret(?:-key)?(?:=|$)/.test(word)) return true;
  return path.startsWith('ins secrets') && /^(?:--?[\w-]+=)?[A-Z0-9]{4,16}$/.test(word);
}

function secretTyped(): Failure {
  return usage('No command takes a secret, because other users of this machine could read it.', {
    hint: 'Use cb ins secrets add, and paste the secret when it asks for it, or set CB_INS_SECRET.',
  });
}

/** `alias set week orders list --limit 3`. */
function withoutQuotes([name = '']: readonly string[], tokens: readonly string[]): Failure {
  const line = tokens.slice(tokens.indexOf(name, 2) + 1).join(' ');
  const hint = `Did you mean cb alias set ${name} ${shellWord(line)}?`;
  return usage('The command of an alias needs quotes.', { hint });
}

/** commander reads -yes as -y -e -s, and names the rest that it does not know. */
function asTyped(option: string, tokens: readonly string[]): string {
  if (option.startsWith('--') || tokens.includes(option)) return option;
  const isWhole = (token: string) => /^-\w/.test(token) && token.endsWith(option.slice(1));
  return tokens.find(isWhole) ?? option;
}

/** By the place of a value in the help: a value that every such option takes. */
const examples: Readonly<Record<string, string>> = {
  ...{ n: '10', date: '2026-03-01', period: 'last-7-days', time: '30s', amount: '19.90' },
  ...{ zone: 'America/New_York', format: 'csv', file: 'orders.csv', name: 'shop' },
};

/** `flags` is the option as the help shows it. */
function withoutValue(branch: Branch, flags: string, next: string | undefined): Failure {
  const option = branch.allOptions.find((one) => one.flags.includes(flags));
  const name = option?.long ?? flags;
  const [, place = 'value'] = /<(.*)>/.exec(flags) ?? [];
  const example = Object.keys(option?.param?.values ?? {})[0] ?? examples[place];
  const more = example ? `, for example ${name} ${example}` : '';
  const asValue = next ? ` If ${next} is the value, type ${name}=${next}.` : '';
  return usage(`${name} needs a value.`, { hint: `Use ${name} <${place}>${more}.${asValue}` });
}

function withoutArgument(branch: Branch, name: string, [first = '', ...more]: readonly string[]) {
  const takes = branch.args.map((one) => `<${one.name()}>`);
  // As in `config set pace=5`.
  const [, key, value = ''] = /^([\w-]+)=(.+)$/s.exec(first) ?? [];
  const isJoined = key !== undefined && more.length === 0 && takes.length === 2;
  const hint = isJoined
    ? `Did you mean ${branch.line} ${key} ${shellWord(value)}?`
    : `Use ${branch.line} ${takes.join(' ')}.`;
  return usage(`<${name}> is missing.`, { hint });
}

/** Words that the command has no place for. */
function extraWords(branch: Branch, extra: readonly string[], tokens: readonly string[]): Failure {
  const quoted = extra.map((word) => `'${word}'`).join(' ');
  const takes = branch.args.map((one) => `<${one.name()}>`);
  const what = takes.length > 0 ? `only ${takes.join(' ')}` : 'no arguments';
  const [first = ''] = extra;
  const at = tokens.indexOf(first);
  const [name = '', value = ''] = tokens.slice(at - 2, at);
  const before = branch.allOptions.find((one) => one.required && isNamed(one, name));
  const own = branch.allOptions.find(({ long }) => long === `--${first}`);
  const text = shellWord([value, ...extra].join(' '));
  const hint = before
    ? `If ${quoted} belongs to the value of ${name}, type ${name} ${text}.`
    : own
      ? `Did you mean ${own.long}?`
      : `Use ${branch.line} --help to list its options.`;
  const words = extra.length === 1 ? 'word' : 'words';
  return usage(`Unexpected ${words} ${quoted}: '${branch.path}' takes ${what}.`, { hint });
}

/** `words` is what was typed after a group. */
function unknownCommand(group: Branch, words: readonly string[], root: Branch): Failure {
  const [word = '', ...rest] = words;
  const { path } = group;
  const meant = meantBy(word, rest, group, root);
  const list = `Use one of: ${group.commands.map(({ line }) => line).join(', ')}.`;
  const all = path === '' ? 'Use cb --help to list the commands.' : list;
  const hint = meant.length > 0 ? `Did you mean ${oneOf(meant)}?` : all;
  return usage(`Unknown command '${`${path} ${word}`.trim()}'.`, { hint });
}

/** Command lines, the most likely first. */
function meantBy(word: string, rest: readonly string[], group: Branch, root: Branch): string[] {
  const { path } = group;
  const small = word.toLowerCase();
  const more = rest.map(shellWord).join(' ');
  const [, name, line = ''] = /^([\w-]+)=(.*)$/s.exec(word) ?? [];
  if (path === 'alias' && name) return [`cb alias set ${name} ${shellWord(line)}`];
  if (path === 'alias' && more) return [`cb alias set ${word} ${more}`];
  const parts = small.split(/[\s.:/_-]+/);
  const joined = [parts, [...parts.slice(1), parts[0] ?? '']].map((way) => commandOf(way, group));
  const whole = parts.length > 1 ? joined.find((one) => one) : undefined;
  if (whole) return [whole.line];
  const near = nearestBelow(small, group);
  if (near) {
    const [next] = rest;
    const found = root.at(near.split(' '));
    return [`cb ${(found && next && nearestBelow(next.toLowerCase(), found)) || near}`];
  }
  if (path === 'config') return [`cb config ${more ? 'set' : 'get'} ${word}${more && ` ${more}`}`];
  if (path !== '') return [];
  const [noun = '', verb = ''] = rest.map((one) => one.toLowerCase());
  const below = commandOf([noun], root);
  const swapped = below && (nearestBelow(small, below) ?? commandOf([verb], below)?.path);
  if (swapped) return [`cb ${swapped}`];
  // The commands of that name in all groups, with the word after it.
  const isMeant = ({ name, commands }: Branch) => commands.length === 0 && nameFor(small, [name]);
  const alike = root.below.filter(
    (one) => isMeant(one) && (rest.length === 0 || takesWord(one, rest)),
  );
  return alike.slice(0, 4).map((one) => `${one.line} ${more}`.trim());
}

function takesWord({ args }: Branch, [word = '']: readonly string[]): boolean {
  return args.length > 0 || word.startsWith('-');
}

/** The branch that words name, each by any of its names. */
function commandOf([word, ...rest]: readonly string[], group: Branch): Branch | undefined {
  if (word === undefined) return group;
  const name = nameFor(
    word,
    group.commands.map((one) => one.name),
  );
  const next = group.commands.find((one) => one.name === name);
  return next && commandOf(rest, next);
}

/** The command, or the phrase, whose name was misspelt. */
function nearestBelow(word: string, { commands, path }: Branch): string | undefined {
  const names = commands.map(({ name }) => name);
  const others = new Map(
    names.flatMap((name) => (otherWords[name]?.split(' ') ?? []).map((other) => [other, name])),
  );
  const near = nearest(word, names) ?? others.get(nearest(word, [...others.keys()]) ?? '');
  if (near) return `${path} ${near}`.trim();
  const single = [...allPhrases.keys()].filter((phrase) => !phrase.includes(' '));
  return path === '' ? allPhrases.get(nearest(word, single) ?? '') : undefined;
}

/** `option` as it was typed, perhaps with its value; `value` is the word that follows it. */
function unknownOption(
  branch: Branch,
  option: string,
  value: string | undefined,
  root: Branch,
): Failure {
  const [name = ''] = option.split(/[=:]/);
  const own = namesOf(branch);
  const near = nearestOption(name, own);
  if (branch.isGroup) {
    const first = branch.below.find((one) => has(one, name));
    const rest = [option, ...(value === undefined ? [] : [shellWord(value)])].join(' ');
    if (first) {
      const hint = `Did you mean ${first.line} ${rest}?`;
      return usage(`${name} needs a command before it.`, { hint });
    }
    const list = `Use ${branch.line} --help to list what there is.`;
    return usage(`Unknown option '${name}'.`, { hint: meantOption(name, own) ?? near ?? list });
  }
  if (own.includes(name) || isFormat(name)) return wronglyJoined(branch, option, name);
  const isElsewhere = root.below.some((one) => has(one, name));
  const what = isElsewhere ? `'${branch.path}' has no ${name}.` : `Unknown option '${name}'.`;
  // The command that has it says more than an option that is spelled alike.
  const alike = isElsewhere ? undefined : near;
  const hint = meantOption(name, own) ?? alike ?? needless(branch, name);
  return usage(what, { hint: hint ?? placeOf(branch, name, value, root) });
}

function has(branch: Branch, name: string): boolean {
  return branch.options.some((one) => isNamed(one, name));
}

function namesOf(branch: Branch): string[] {
  const shown = branch.allOptions.filter(({ hidden }) => !hidden);
  return [...shown.flatMap(({ long, short }) => [long ?? [], short ?? []].flat()), '--help', '-h'];
}

/** Permission to write, and its rehearsal, where nothing is written. */
function needless({ path }: Branch, name: string): string | undefined {
  const bare = bareName(name);
  if (!/^(yes|y|dry-run|force)$/.test(bare) || path === 'tickets refund') return undefined;
  if (path === 'approve') return 'Leave it out: a person must answer in a terminal.';
  const isRead = catalogue.some((one) => one.command === path && one.method === 'GET');
  if (isRead) return `Leave it out: '${path}' changes nothing.`;
  return bare === 'dry-run' ? undefined : `Leave it out: '${path}' does not ask for confirmation.`;
}

/** --raw=true, --csv=orders.csv, and --limit:3 for --limit 3. */
function wronglyJoined(branch: Branch, option: string, name: string): Failure {
  const takesValue = branch.allOptions.some((one) => isNamed(one, name) && one.required);
  const value = shellWord(option.slice(name.length + 1));
  if (!takesValue) {
    const file = namesOf(branch).includes('--out') && value.includes('.') ? ` --out ${value}` : '';
    return usage(`${name} takes no value.`, { hint: `Did you mean ${name}${file}?` });
  }
  return usage(`Unknown option '${option}'.`, { hint: `Did you mean ${name} ${value}?` });
}

/** By other words for an option. They come first, since a word that is similar may mean something else. */
function meantOption(name: string, own: readonly string[]): string | undefined {
  const bare = bareName(name);
  const meant = meantAmong(name, own);
  if (meant.length > 1) return `Use ${oneOf(meant.slice(0, 3))}.`;
  if (meant.length === 1) return `Did you mean ${meant[0]}?`;
  return Object.hasOwn(optionAdvice, bare) ? optionAdvice[bare] : undefined;
}

function meantAmong(name: string, own: readonly string[]): string[] {
  return own.filter((one) => otherOptions[one]?.split(' ').includes(bareName(name)));
}

function nearestOption(name: string, own: readonly string[]): string | undefined {
  const bare = bareName(name);
  // Capitals, as in -Y.
  const near = bare.length > 1 ? nearest(`--${bare}`, own) : own.find((one) => one === `-${bare}`);
  return near && `Did you mean ${near}?`;
}

function bareName(name: string): string {
  return name.replace(/^-+/, '').toLowerCase().replaceAll('_', '-');
}

/** Where the option is, or what the command takes instead: `<receipt>` for --receipt, and for --id. */
function placeOf(branch: Branch, name: string, value: string | undefined, root: Branch): string {
  const bare = bareName(name);
  const group = branch.parent?.commands ?? [];
  const taking = [branch, ...group.filter((one) => one.name === 'get')].find(
    ({ args: [first] }) => {
      const place = first?.name();
      return bare === place || (bare === 'id' && (place === 'receipt' || place === 'sku'));
    },
  );
  if (taking) {
    const place = value === undefined ? `<${taking.args[0]?.name()}>` : shellWord(value);
    return `Did you mean ${taking.line} ${place}?`;
  }
  const all = `Use ${branch.line} --help to list its options.`;
  for (const one of [...group, ...root.below]) {
    const [real] = has(one, name)
      ? [name]
      : group.includes(one)
        ? meantAmong(name, namesOf(one))
        : [];
    if (real) return `Use ${real} with ${one.line}. ${all}`;
  }
  return all;
}
