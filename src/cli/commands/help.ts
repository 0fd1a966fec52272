/** `cb help …`: the help of a command, a topic, or a list of all commands. */
import type { Command } from 'commander';
import { nearest } from '../flags/nearest.ts';
import { textOf } from '../help/blocks.ts';
import { addHelp } from '../help/help-text.ts';
import { isTopic, type Topic, topics } from '../help/topics/topics.ts';
import type { Call, CommonFlags } from '../runtime/command-context.ts';
import type { Context } from '../runtime/context.ts';
import { usage } from '../runtime/failure.ts';
import { readableAliases } from '../session/aliases.ts';

interface HelpFlags extends CommonFlags {
  readonly all?: boolean;
}

export function buildHelp(command: Command, call: Call): void {
  command
    .argument('[words...]', `A command, or one of the topics ${topics.join(', ')}`)
    .option('--all', 'List every command, or every option of one command')
    .action((words) => help(words, command, call));
  addHelp(command, () => ({
    notes: ['With -o json, help is a machine-readable description of the command.'],
    examples: ['cb help orders list', 'cb help dates', 'cb help --all', 'cb help --all -o json'],
  }));
}

async function help(words: readonly string[], command: Command, call: Call): Promise<void> {
  const [first = ''] = words;
  const { all, output } = command.optsWithGlobals<HelpFlags>();
  const isJson = output === 'json';
  const commands = command.parent?.commands.map((one) => one.name()) ?? [];
  if (words.length === 1 && isTopic(first) && !(all && commands.includes(first))) {
    await printTopic(first, isJson, call.context);
    return;
  }
  const aliases = commands.includes(first) ? [] : await readableAliases(call.context);
  if (first !== '') requireKnown(first, [...commands, ...aliases.map(({ name }) => name)]);
  const options = [...(all ? ['--all'] : []), ...(isJson ? ['-o', 'json'] : [])];
  call.next = [...words, '--help', ...options];
}

async function printTopic(topic: Topic, isJson: boolean, { stdout }: Context): Promise<void> {
  const { topicBlocks } = await import('../help/topics/usage-topics.ts');
  const blocks = topicBlocks(topic);
  const text = isJson
    ? JSON.stringify({ topic, text: textOf(blocks) })
    : textOf(blocks, stdout.columns);
  stdout.write(`${text}\n`);
}

/** Other words for the topics, as people look for them. */
const synonyms: Readonly<Record<Topic, readonly string[]>> = {
  dates: ['time', 'day', 'period', 'timezone', 'time-zone', 'duration'],
  output: ['json', 'csv', 'tsv', 'xml', 'xlsx', 'excel', 'format', 'columns', 'fields', 'query'],
  options: ['flags', 'global', 'global-options'],
  reasons: ['refund-reasons', 'ticket-reasons'],
  'exit-codes': ['errors', 'exit', 'status', 'codes'],
  environment: ['env', 'variables', 'proxy'],
  credentials: ['key', 'auth', 'permissions', 'roles', 'password'],
  safety: ['dry-run', 'confirm', 'confirmation', 'writes', 'retries'],
  sandbox: ['test', 'demo', 'sample'],
};

/** Checks the first word only; the group checks its subcommands. */
function requireKnown(word: string, commands: readonly string[]): void {
  if (commands.includes(word)) return;
  const meant = topicFor(word) ?? nearest(word, [...commands, ...topics]);
  throw usage(`No help found for '${word}'.`, {
    hint: meant ? `Did you mean cb help ${meant}?` : `Topics: ${topics.join(', ')}.`,
  });
}

function topicFor(word: string): Topic | undefined {
  const singular = (text: string) => text.toLowerCase().replace(/s$/, '');
  return topics.find((topic) =>
    [topic, ...synonyms[topic]].some((known) => singular(known) === singular(word)),
  );
}
