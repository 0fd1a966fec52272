/** Words of messages about commands and options. */
import type { Command, Option } from 'commander';

/** As in `orders list`: without the program; '' for the program itself. */
export function pathOf(command: Command): string {
  const { parent } = command;
  return parent ? `${pathOf(parent)} ${command.name()}`.trim() : '';
}

/** As in `cb orders list`. */
export function lineOf(command: Command): string {
  return `cb ${pathOf(command)}`.trim();
}

/** Every command and group below this one. */
export function commandsBelow(group: Command): Command[] {
  return group.commands.flatMap((command) => [command, ...commandsBelow(command)]);
}

declare module 'commander' {
  interface Command {
    /** It does something without a command below it; only a group without arguments needs to say so. */
    runsAlone?: boolean;
  }
}

/** Whether a command only has commands below it. A command with arguments of its own can be run as well. */
export function isOnlyGroup({ commands, registeredArguments, runsAlone }: Command): boolean {
  return commands.length > 0 && registeredArguments.length === 0 && !runsAlone;
}

/** The options that may be typed here: of the command, of its group, and of the program. */
export function optionsOf(command: Command): Option[] {
  const { parent } = command;
  if (!parent) return [...command.options];
  // The options of a group that can be run are not those of the commands below it.
  const above = optionsOf(parent).filter(
    (option) => isOnlyGroup(parent) || !parent.options.includes(option),
  );
  return [...command.options, ...above];
}

export function isNamed({ short, long }: Option, typed: string): boolean {
  return short === typed || long === typed;
}

/** `a`, `a or b`, `a, b, or c`. */
export function oneOf(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  if (items.length < 3) return items.join(' or ');
  return `${items.slice(0, -1).join(', ')}, or ${last}`;
}

/** An API key, perhaps as the value of an option. */
export function looksLikeKey(text: string): boolean {
  return /^(--?[\w-]+=)?(API|DEV)-\w{6,}/i.test(text);
}

/** As it is where a POSIX shell sees nothing in it, else between single quotes. */
export function shellWord(text: string): string {
  return /^[\w%+,./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
