/** The help of all commands and topics, as the bundle holds it. */
import type { Command } from 'commander';
import { helpPage } from '../cli/help/page.ts';
import type { HelpStore } from '../cli/help/pages.ts';
import { topicBlocks, topics } from '../cli/help/topics.ts';
import { buildProgram, buildWholeProgram } from '../cli/runtime/program.ts';
import { quietCall } from './docs/generated.ts';

export async function helpStore(): Promise<HelpStore> {
  const call = quietCall();
  const pages = pagesBelow(await buildWholeProgram(call), []);
  // The help of the program names its commands without their arguments.
  const program = JSON.stringify(helpPage(await buildProgram([], call)));
  return {
    commands: { ...Object.fromEntries(pages), '': program },
    topics: Object.fromEntries(topics.map((topic) => [topic, JSON.stringify(topicBlocks(topic))])),
  };
}

function pagesBelow(command: Command, path: readonly string[]): [path: string, page: string][] {
  const below = command.createHelp().visibleCommands(command);
  return [
    [path.join(' '), JSON.stringify(helpPage(command))],
    ...below.flatMap((one) => pagesBelow(one, [...path, one.name()])),
  ];
}
