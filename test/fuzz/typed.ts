/** Generates command lines with valid and invalid values in each position. */
import fc from 'fast-check';
import type { Source } from '../../src/shell/completion/candidates.ts';
import type { Flag, Place } from '../../src/shell/help/description.ts';
import { seedOf, tier } from '../support/tier.ts';
import type { CommandNode } from '../support/tree.ts';

/** The seed, which fast-check prints on failure to reproduce a run. */
export const seed = seedOf(20_260_318);

/** Random command lines, over all commands. */
export const lines = tier(300, 2000);

/** Characters with a meaning in JSON, XML, queries or paths, or that these can't contain. */
const odd = fc.constantFrom(
  ...['<', '>', '&', '&amp;', '&#0;', ']]>', '<!--', '"', "'", '\\', '{', '@nil', '$', '%'],
  ...['\t', '\n', '\r', ' ', '\u0000', '\u001f', '\u007f', '\u2028', '\ufffe', '\ufeff'],
  ...['null', 'true', '0', '1e5', '__proto__', 'é', 'ñ', '漢字', 'עברית', '👩‍👩‍👧‍👦', '\ud800'],
  ...[...'=+?#/;:@,.|', '%20', '%2F'],
);

/** Values of texts, some of them empty or with an incomplete character. */
export const texts = fc
  .array(fc.oneof(odd, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 6 })
  .map((parts) => parts.join(''));

/** Words that are neither options nor values of any command. */
const strangers = ['--nope', '--', '-', '-Z', '--=', '--no-', 'help', 'today', '--from', '--yess'];

const hostile = [
  ...['', ' ', '--', '-', '=', '-1', '0', '1.5', '1e999', 'NaN', '2147483648', '٣', 'null'],
  ...['99999999999999999999', '__proto__', 'constructor', '%', '%00', '%s%n', '../x', '[?'],
  ...['\u0001', 'a\nb', 'a\r\nX-Injected: 1', '\u001b[2J\u001b]0;owned\u0007', '\u009b31m'],
  ...['\u202egnp.exe', '\ud800', '👩‍👩‍👧‍👦', 'é'.repeat(1000), 'x'.repeat(20_000)],
  ...['2026-02-30', '0000-00-00', '9999-12-31', '+9999y', '-9999y'],
];

/** Text without paths outside the folder of the test, and without NUL, which no system passes to a program. */
const random = fc.string({ unit: 'binary', maxLength: 12 }).filter((text) => !/[/\\\0]/.test(text));

const wrong = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...hostile) }, random);

/** By the kind of name, and by placeholder for options without a list of values. */
const rightWords: Readonly<Record<string, readonly string[]>> = {
  ...{ receipt: ['MONTHLY1', 'ABCD1234-B002'], ticket: ['1001', '1002'], sku: ['GUIDE-01'] },
  ...{ account: ['GREENLEAF'], n: ['1', '3', '2'], amount: ['19.90', '5'], character: [';'] },
  ...{ seconds: ['0', '0.5'], time: ['12h', '1d'], zone: ['UTC', 'Pacific/Auckland'] },
  ...{ list: ['lineItemData', 'latency=1ms', '503=10%'], 'list[:n]': ['lineItemData:2'] },
  ...{ names: ['receipt', 'receipt,lineItemData.itemNo'], jmespath: ['[0]', 'length(@)'] },
  ...{ pairs: ['date=date,carrier=carrier'], 'key=value': ['a=b', 'startDate=2026-01-01'] },
  ...{ path: ['/1.3/orders2/list', '/1.3/orders2/MONTHLY1?sku=A'], command: ['orders', 'dates'] },
};

const files = ['in.csv', 'in.json', 'out.csv', 'out.json', 'folder', 'missing/out.csv', '-', 'o'];

function rightFor(source: Source, placeholder: string, names = ''): readonly string[] {
  if (source.kind === 'values') return source.values.map(([word]) => word);
  if (source.kind === 'files') return files;
  if (source.kind === 'profiles') return ['shop', 'sandbox:read-only', 'shop,other'];
  return rightWords[names] ?? rightWords[placeholder] ?? ['Ada', 'pace', '7'];
}

/** Mostly valid values, or mostly invalid ones if `wrongs` is large. */
function valuesOf(right: readonly string[], wrongs = 1): fc.Arbitrary<string> {
  const good = fc.constantFrom(...right);
  const nearly = fc.tuple(good, fc.constantFrom('x', ' ', ',', '\t', '0')).map(([a, b]) => a + b);
  return fc.oneof(
    { weight: 8, arbitrary: good },
    { weight: 1, arbitrary: nearly },
    { weight: wrongs, arbitrary: wrong },
  );
}

/** An option as typed: separate from its value, in one word, or without a required value. */
function typedFlag(flag: Flag, wrongs = 1): fc.Arbitrary<readonly string[]> {
  const name = fc.constantFrom(...flag.names);
  if (flag.source === undefined) {
    const withValue = fc.tuple(name, wrong).map(([a, b]) => [`${a}=${b}`]);
    return fc.oneof({ weight: 9, arbitrary: name.map((a) => [a]) }, withValue);
  }
  const right = rightFor(flag.source, placeholderOf(flag), flag.option.param?.names);
  const value = valuesOf(right, wrongs);
  return fc.oneof(
    { weight: 8, arbitrary: fc.tuple(name, value) },
    { weight: 2, arbitrary: fc.tuple(name, value).map(([a, b]) => [`${a}=${b}`]) },
    name.map((a) => [a]),
  );
}

/** The placeholder of the value in the help: `n` of `--limit <n>`. */
function placeholderOf({ written }: Flag): string {
  return /[<[](.*)[>\]]$/.exec(written)?.[1] ?? '';
}

function typedPlace({ name, source, several, argument }: Place): fc.Arbitrary<readonly string[]> {
  const value = valuesOf(rightFor(source, name, argument.param?.names));
  const given = several ? fc.array(value, { maxLength: 3 }) : value.map((one) => [one]);
  return fc.oneof({ weight: 9, arbitrary: given }, fc.constant([]));
}

function typo(flag: Flag): fc.Arbitrary<readonly string[]> {
  const name = flag.names.at(-1) ?? '';
  return fc.nat(name.length).map((at) => [name.slice(0, at) + name.slice(at + 1)]);
}

/** The options of one command; `everywhere` are those of all commands. */
export interface Typing {
  readonly command: CommandNode;
  readonly everywhere: readonly Flag[];
  /** Options of other commands. */
  readonly foreign: readonly Flag[];
  /** Typed instead of the path. */
  readonly words?: readonly string[] | undefined;
}

/** Command lines, most of them valid except for one or two mistakes. */
export function commandLines(typing: Typing): fc.Arbitrary<string[]> {
  const examples = typing.words ? [] : examplesOf(typing.command);
  if (examples.length === 0) return madeUp(typing);
  return fc.oneof(madeUp(typing), { weight: 2, arbitrary: spoilt(typing, examples) });
}

/** The examples of the help, with a wrong word or an extra option. */
function spoilt({ command }: Typing, examples: string[][]): fc.Arbitrary<string[]> {
  const first = wordsOf(command).length;
  const more = command.flags.map((flag) => typedFlag(flag, 24));
  const flags = fc.array(fc.oneof(...more), { maxLength: 2 });
  const slip = fc.option(fc.tuple(fc.nat(), wrong), { freq: 2 });
  return fc.tuple(fc.constantFrom(...examples), flags, slip).map(([words, flags, slip]) => {
    const at = slip && words.length > first ? first + (slip[0] % (words.length - first)) : -1;
    return [...words.map((word, i) => (slip && i === at ? slip[1] : word)), ...flags.flat()];
  });
}

/** The part before the first shell operator. */
function examplesOf(command: CommandNode): string[][] {
  const lines = [...command.after.matchAll(/^ {2}cb ([^|<>#;&$]*)/gm)].map(([, line = '']) => line);
  const words = lines.map((line) => {
    const found = [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)];
    return found.map(([word]) => word.replaceAll(/['"]/g, ''));
  });
  return words.filter((line) => ` ${line.join(' ')} `.includes(` ${command.path} `));
}

function madeUp({ command, everywhere, foreign, words }: Typing): fc.Arbitrary<string[]> {
  const own = command.flags.map((flag) => typedFlag(flag));
  const noise = fc.oneof(
    fc.constantFrom(...strangers).map((word) => [word]),
    wrong.map((word) => [word]),
    fc.oneof(...foreign.map((flag) => typedFlag(flag))),
    fc.oneof(...[...command.flags, ...everywhere].map(typo)),
  );
  const path = words ?? wordsOf(command);
  const parts = fc.record({
    before: fc.oneof({ weight: 19, arbitrary: fc.constant([]) }, noise),
    places: fc.tuple(...command.places.map(typedPlace)),
    flags: own.length > 0 ? fc.array(fc.oneof(...own), { maxLength: 4 }) : fc.constant([]),
    common: fc.array(fc.oneof(...everywhere.map((flag) => typedFlag(flag))), { maxLength: 2 }),
    after: fc.oneof({ weight: 7, arbitrary: fc.constant([]) }, noise),
  });
  return parts.map(({ before, places, flags, common, after }) => [
    ...before,
    ...path,
    ...places.flat(),
    ...flags.flat(),
    ...common.flat(),
    ...after,
  ]);
}

/** Each option of a command once, with a valid value. */
export function eachFlag(command: CommandNode): string[][] {
  return command.flags.map((flag) => {
    const value = flag.source && rightFor(flag.source, placeholderOf(flag))[0];
    const typed = [flag.names[0] ?? '', ...(value === undefined ? [] : [value])];
    return [...wordsOf(command), ...typed];
  });
}

function wordsOf({ path }: CommandNode): string[] {
  return path.split(' ').filter((word) => word !== '');
}
