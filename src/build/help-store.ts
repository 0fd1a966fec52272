/** Collects the help of all commands and topics for the bundle. */

import { commandTree } from '../program.ts';
import { commandList, helpPage } from '../shell/help/page.ts';
import type { FullHelpStore, HelpStore } from '../shell/help/pages.ts';
import { topics } from '../shell/help/topics.ts';
import { topicBlocks } from '../shell/help/usage-topics.ts';

const root = commandTree();
const all = [root, ...root.below];

export function helpStore(): HelpStore {
  const pages = all.map((one) => [one.path, JSON.stringify(helpPage(one))]);
  const texts = topics.map((topic) => [topic, JSON.stringify(topicBlocks[topic])]);
  const groups = root.below.filter(({ isGroup }) => isGroup).map(({ path }) => path);
  return { commands: Object.fromEntries(pages), groups, topics: Object.fromEntries(texts) };
}

/** Returns the full pages that --all shows. */
export function fullHelpStore(): FullHelpStore {
  const pageOf = (one: typeof root) => (one === root ? commandList(one) : helpPage(one, true));
  return Object.fromEntries(all.map((one) => [one.path, JSON.stringify(pageOf(one))]));
}
