/** The man pages: cb(1), and one for each word after cb, such as cb-orders(1). */

import { textOf } from '../../cli/help/blocks.ts';
import type { CommandNode, Flag } from '../../cli/help/description.ts';
import { topics } from '../../cli/help/topics/topics.ts';
import { topicBlocks } from '../../cli/help/topics/usage-topics.ts';
import { type FlagGroup, flagTeller } from './flag-groups.ts';

/** `root` is the program. */
export function manPages(root: CommandNode) {
  const pages = root.commands.map((node) => ({
    name: `completions/man/cb-${node.name}.1`,
    text: page(`cb-${node.name}`, node.summary, commandPage(node)),
  }));
  return [
    { name: 'completions/man/cb.1', text: page('cb', root.summary, programPage(root)) },
    ...pages,
  ];
}

/** Contains no date and no version, so that a page changes only when its text does. */
function page(name: string, summary: string, lines: readonly string[]): string {
  const title = `.TH ${roff(name.toUpperCase())} 1 "" "clickbank\\-cli" "User Commands"`;
  const head = [title, '.SH NAME', `${roff(name)} \\- ${roff(summary)}`];
  return `${[...head, ...lines].join('\n')}\n`;
}

function programPage(root: CommandNode): string[] {
  const tell = flagTeller();
  return [
    '.SH SYNOPSIS',
    bold(root.usage),
    '.SH COMMANDS',
    ...root.commands.flatMap(({ name, summary }) => item(bold(`cb ${name}`), summary)),
    '.SH GLOBAL OPTIONS',
    ...tell(root).flatMap(({ flags }) => flags.flatMap(flagLines)),
    ...topics.flatMap((topic) => [
      `.SH ${roff(topic.replace('-', ' ').toUpperCase())}`,
      ...asIs(textOf(topicBlocks(topic), 78)),
    ]),
    '.SH SEE ALSO',
    root.commands.map(({ name }) => `.BR ${roff(`cb-${name}`)} (1)`).join(' ,\n'),
  ];
}

function commandPage(node: CommandNode): string[] {
  const tell = flagTeller();
  const leaves = leavesOf(node);
  return [
    '.SH SYNOPSIS',
    ...leaves.flatMap(({ usage }) => [bold(usage), '.br']).slice(0, -1),
    '.SH COMMANDS',
    ...leaves.flatMap((leaf) => commandLines(leaf, tell(leaf))),
    ...(node.isRun ? [] : asIs(node.after, '.SH NOTES')),
    '.SH SEE ALSO',
    '.BR cb (1)',
    `describes the global options, and ${topics.join(', ')}.`,
  ];
}

function leavesOf(node: CommandNode): CommandNode[] {
  const { isRun } = node;
  return [...(isRun ? [node] : []), ...node.commands.flatMap(leavesOf)];
}

function commandLines(
  { path, summary, places, after }: CommandNode,
  groups: readonly FlagGroup[],
): string[] {
  return [
    `.SS cb ${roff(path)}`,
    `${roff(summary)}.`,
    ...places.flatMap(({ name, summary }) => item(bold(`<${name}>`), summary)),
    ...groups.flatMap(({ heading, flags, as }) =>
      as === undefined
        ? ['.PP', `${roff(heading)}:`, ...flags.flatMap(flagLines)]
        : ['.PP', `${roff(heading)}: see`, `${bold(`cb ${as}`)}.`],
    ),
    ...asIs(after, '.PP'),
  ];
}

function flagLines({ written, summary }: Flag): string[] {
  return item(bold(written), summary);
}

function item(term: string, text: string): string[] {
  return ['.TP', term, roff(text)];
}

/** Returns preformatted text after a macro that introduces it; nothing for an empty text. */
function asIs(text: string, before?: string): string[] {
  const lines = text.replace(/^\n+|\s+$/g, '');
  if (lines === '') return [];
  return [...(before ? [before] : []), '.nf', ...lines.split('\n').map(roff), '.fi'];
}

function bold(text: string): string {
  return `\\fB${roff(text)}\\fR`;
}

/** Escapes text for troff. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replaceAll('`', '\\(ga')
    .replace(/^\./, '\\&.');
}
