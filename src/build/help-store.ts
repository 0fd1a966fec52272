/** Collects the help of all commands and topics for the bundle. */
import type { Command } from 'commander';
import { commandsBelow, isOnlyGroup, pathOf } from '../cli/grammar/say.ts';
import { commandList } from '../cli/help/command-list.ts';
import { helpPage } from '../cli/help/page.ts';
import type { FullHelpStore, HelpStore } from '../cli/help/pages.ts';
import { topics } from '../cli/help/topics/topics.ts';
import { topicBlocks } from '../cli/help/topics/usage-topics.ts';
import { buildWholeProgram } from '../cli/runtime/program.ts';
import { quietCall } from './docs/generated.ts';

export function helpStore(): HelpStore {
  const pages = pagesBelow(wholeProgram(), '', (command) => helpPage(command));
  const texts = topics.map((topic) => [topic, JSON.stringify(topicBlocks(topic))]);
  const groups = commandsBelow(wholeProgram()).filter(isOnlyGroup).map(pathOf);
  return { commands: Object.fromEntries(pages), groups, topics: Object.fromEntries(texts) };
}

/** Returns the full pages that --all shows. */
export function fullHelpStore(): FullHelpStore {
  const isProgram = (command: Command) => command.parent === null;
  return Object.fromEntries(
    pagesBelow(wholeProgram(), '', (command) =>
      isProgram(command) ? commandList(command) : helpPage(command, { all: true }),
    ),
  );
}

function wholeProgram(): Command {
  return buildWholeProgram(quietCall());
}

function pagesBelow(
  command: Command,
  path: string,
  pageOf: (command: Command) => unknown,
): [path: string, page: string][] {
  const below = command.createHelp().visibleCommands(command);
  return [
    [path, JSON.stringify(pageOf(command))],
    ...below.flatMap((one) => pagesBelow(one, `${path} ${one.name()}`.trim(), pageOf)),
  ];
}
