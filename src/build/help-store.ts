/** Collects the help of all commands and topics for the bundle. */

import { commandList, helpPage } from '../cli/help/page.ts';
import type { FullHelpStore, HelpStore } from '../cli/help/pages.ts';
import { topics } from '../cli/help/topics/topics.ts';
import { topicBlocks } from '../cli/help/topics/usage-topics.ts';
import { commandTree } from '../cli/runtime/program.ts';

const root = commandTree();
const all = [root, ...root.below];

export function helpStore(): HelpStore {
  const pages = all.map((one) => [one.path, JSON.stringify(helpPage(one))]);
  const texts = topics.map((topic) => [topic, JSON.stringify(topicBlocks(topic))]);
  const groups = root.below.filter(({ isGroup }) => isGroup).map(({ path }) => path);
  return { commands: Object.fromEntries(pages), groups, topics: Object.fromEntries(texts) };
}

/** Returns the full pages that --all shows. */
export function fullHelpStore(): FullHelpStore {
  const pageOf = (one: typeof root) =>
    one === root ? commandList(one) : helpPage(one, { all: true });
  return Object.fromEntries(all.map((one) => [one.path, JSON.stringify(pageOf(one))]));
}
