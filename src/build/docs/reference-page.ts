/** The command reference: every command with its arguments, flags and examples, as Markdown. */
import type { CommandNode, Flag } from '../../cli/completion/tree.ts';
import { textOf } from '../../cli/help/blocks.ts';
import { topicBlocks, topics } from '../../cli/help/topics.ts';
import { type FlagGroup, flagTeller } from './flag-groups.ts';

/** `root` is the program. */
export function referencePage(root: CommandNode): string {
  const tell = flagTeller();
  const parts = [
    '# Command reference',
    'Made from the commands themselves by `npm run reference`; `cb COMMAND --help` tells the same.',
    ...root.commands.map(contents),
    '## Flags of all commands',
    table(tell(root).flatMap(({ flags }) => flags)),
    ...root.commands.flatMap((node) => section(node, tell)),
    ...topics.flatMap((topic) => [`## cb help ${topic}`, block(textOf(topicBlocks(topic), 100))]),
  ];
  return `${parts.join('\n\n').replaceAll('\n\n- ', '\n- ')}\n`;
}

function contents({ path, summary }: CommandNode): string {
  return `- [cb ${path}](#cb-${path}): ${inline(summary)}`;
}

function section(node: CommandNode, tell: (node: CommandNode) => FlagGroup[]): string[] {
  const { path, summary, usage, commands, places, after } = node;
  const depth = path.split(' ').length;
  const own = [`${'#'.repeat(depth + 1)} cb ${path}`, `${inline(summary)}.`];
  if (commands.length > 0) {
    return [...own, ...trailing(after), ...commands.flatMap((one) => section(one, tell))];
  }
  return [
    ...own,
    block(`cb ${path} ${usage.replace('[options]', '[flags]')}`),
    ...places.map(({ name, summary }) => `\`<${name}>\`: ${inline(summary)}`),
    ...tell(node).flatMap(groupText),
    ...trailing(after),
  ];
}

function groupText({ heading, flags, as }: FlagGroup): string[] {
  if (as === undefined) return [`${heading}:`, table(flags)];
  return [`${heading}: as for [cb ${as}](#cb-${as.replaceAll(' ', '-')}).`];
}

function table(flags: readonly Flag[]): string {
  const rows = flags.map(({ written, summary }) => `| \`${written}\` | ${inline(summary)} |`);
  return ['| flag | what it does |', '|---|---|', ...rows].join('\n');
}

function trailing(after: string): string[] {
  const text = after.replace(/^\n+|\s+$/g, '');
  return text === '' ? [] : [block(text)];
}

function block(text: string): string {
  return `\`\`\`text\n${text}\n\`\`\``;
}

/** Nothing in it is taken for Markdown, or for HTML. */
function inline(text: string): string {
  return text.replaceAll(/[\\|*_<>[\]]/g, '\\$&');
}
