/** Reads a command line by a table of the options with and without a value, independently of how cb reads it. */
import type { Flag } from '../../src/shell/help/description.ts';
import { type CommandNode, root } from './tree.ts';

export interface Reading {
  /** Arguments after the words of the command. */
  readonly words: readonly string[];
  /** By long name: the values as typed, or `true` for an option without one. */
  readonly options: Readonly<Record<string, readonly (string | true)[]>>;
}

const formats = ['--table', '--json', '--jsonl', '--csv', '--tsv', '--yaml', '--md', '--xlsx'];

type Table = ReadonlyMap<string, { readonly name: string; readonly hasValue: boolean }>;

function tableOf(flags: readonly Flag[]): Table {
  const rows = flags.flatMap(({ names, source }) => {
    const name = names.find((one) => one.startsWith('--')) ?? names[0] ?? '';
    return names.map((one) => [one, { name, hasValue: source !== undefined }] as const);
  });
  const flat = formats.map((name) => [name, { name, hasValue: false }] as const);
  return new Map([...flat, ...rows]);
}

/** Undefined for a line that has no single meaning, or none. `aliases` are words for words. */
export function readLine(
  typed: readonly string[],
  command: CommandNode,
  aliases: Aliases = {},
): Reading | undefined {
  const common = tableOf(root.flags);
  const table = new Map([...common, ...tableOf(command.flags)]);
  const tokens = expanded(typed, common, aliases);
  const words: string[] = [];
  const options: Record<string, (string | true)[]> = {};
  const add = (name: string, value: string | true) => {
    options[name] = [...(options[name] ?? []), value];
  };
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? '';
    if (token === '--') {
      words.push(...tokens.slice(at + 1));
      break;
    }
    const whole = table.get(token);
    const [, long, attached] = /^(--[^=]+)=(.*)$/s.exec(token) ?? [];
    const short = table.get(token.slice(0, 2));
    if (whole?.hasValue) {
      const value = tokens[++at];
      if (value === undefined || value === '--' || isOption(value, table)) return undefined;
      add(whole.name, value);
    } else if (whole) {
      add(whole.name, true);
    } else if (long && table.get(long)?.hasValue) {
      add(table.get(long)?.name ?? long, attached ?? '');
    } else if (/^-[^-]/.test(token) && short?.hasValue) {
      add(short.name, token.slice(2));
    } else if (/^-./.test(token) && !/^-\d+$/.test(token)) {
      return undefined;
    } else words.push(token);
  }
  const path = command.path.split(' ');
  if (path.some((word, at) => words[at] !== word)) return undefined;
  return { words: words.slice(path.length), options };
}

function isOption(token: string, table: Table): boolean {
  const [name = ''] = token.split('=');
  return table.has(name) || (/^-[^-]/.test(token) && table.has(token.slice(0, 2)));
}

type Aliases = Readonly<Record<string, string>>;

/** An alias stands after options of cb and their values only. */
function expanded(typed: readonly string[], common: Table, aliases: Aliases): readonly string[] {
  let at = 0;
  while (at < typed.length) {
    const token = typed[at] ?? '';
    const [name = ''] = token.split('=');
    const option = common.get(token) ?? common.get(name) ?? common.get(token.slice(0, 2));
    if (!/^-./.test(token) || !option) break;
    at += common.get(token)?.hasValue ? 2 : 1;
  }
  const line = aliases[typed[at] ?? ''];
  if (line === undefined || typed.slice(0, at).includes('--')) return typed;
  return [...typed.slice(0, at), ...line.split(' '), ...typed.slice(at + 1)];
}
