/** `cb help …`: the help of a command, or a topic. */
import type { Command } from 'commander';
import { nearest } from '../flags/nearest.ts';
import { textOf } from '../help/blocks.ts';
import { addHelp } from '../help/help-text.ts';
import { isTopic, topicBlocks, topics } from '../help/topics.ts';
import type { Call } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';
import { readableAliases } from '../session/aliases.ts';

export function buildHelp(command: Command, call: Call): void {
  command
    .argument('[words...]', `A command, or one of the topics: ${topics.join(', ')}`)
    .action((words) => help(words, command, call));
  addHelp(command, () => ({
    examples: ['cb help orders list', 'cb help dates', 'cb help exit-codes'],
  }));
}

async function help(words: readonly string[], command: Command, call: Call): Promise<void> {
  const [first = ''] = words;
  if (words.length === 1 && isTopic(first)) {
    const { stdout } = call.context;
    stdout.write(`${textOf(topicBlocks(first), stdout.columns)}\n`);
    return;
  }
  const commands = command.parent?.commands.map((one) => one.name()) ?? [];
  const aliases = commands.includes(first) ? [] : await readableAliases(call.context);
  if (first !== '') requireKnown(first, [...commands, ...aliases.map(({ name }) => name)]);
  call.next = [...words, '--help'];
}

/** Checks the first word only; the group checks its subcommands. */
function requireKnown(word: string, commands: readonly string[]): void {
  if (commands.includes(word)) return;
  const near = nearest(word, [...commands, ...topics]);
  throw usage(`there is no help on '${word}'`, {
    hint: near ? `did you mean ${near}?` : `topics: ${topics.join(', ')}`,
  });
}
