/** `cb help …`: the help of a command, a topic, or a list of all commands. */

import { commandNames } from '../../shell/argv.ts';
import { command } from '../../shell/define.ts';
import { usage } from '../../shell/failure.ts';
import { allPhrases, answers, nameFor } from '../../shell/grammar/words.ts';
import { textOf } from '../../shell/help/blocks.ts';
import { type Topic, topics } from '../../shell/help/topics.ts';
import { nearest } from '../../shell/options/nearest.ts';
import { aliasesOf } from '../../shell/session/aliases.ts';
import { writePaged } from '../../shell/terminal/pager.ts';

export const help = command({
  words: 'help',
  args: { '[words...]': `A command, or one of the topics ${topics.join(', ')}` },
  options: { all: ['--all', 'List every command, or every option of one command'] },
  help: {
    notes: ['With -o json, help is a machine-readable description of the command.'],
    examples: ['cb help orders list', 'cb help dates', 'cb help --all', 'cb help --all -o json'],
  },
  async run(cmd, { words = [], all, output }) {
    const { context, continueWith } = cmd;
    const [first = ''] = words;
    const isJson = output === 'json';
    const isCommand = commandNames.includes(first);
    const topic = topics.find((one) => one === first);
    if (words.length === 1 && topic && !(all && isCommand)) {
      const { topicBlocks } = await import('../../shell/help/usage-topics.ts');
      const blocks = topicBlocks[topic];
      const text = isJson
        ? JSON.stringify({ topic, text: textOf(blocks) })
        : textOf(blocks, context.stdout.columns);
      await writePaged(cmd, undefined, (sink) => sink.write(`${text}\n`));
      return;
    }
    const aliases = isCommand ? [] : await aliasesOf(context).catch(() => []);
    const known = [...commandNames, ...aliases.map(({ name }) => name)];
    // What another word or a phrase for a command means is found when its help is asked for.
    const small = first.toLowerCase();
    const isPhrase = allPhrases.has(small) || answers.has(small) || nameFor(small, commandNames);
    if (words.length === 1 && !isPhrase) requireKnown(first, known);
    const options = [...(all ? ['--all'] : []), ...(isJson ? ['-o', 'json'] : [])];
    continueWith([...words, '--help', ...options]);
  },
});

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

function requireKnown(word: string, commands: readonly string[]): void {
  if (commands.includes(word)) return;
  const singular = (text: string) => text.toLowerCase().replace(/s$/, '');
  const topic = topics.find((one) =>
    [one, ...synonyms[one]].some((known) => singular(known) === singular(word)),
  );
  const meant = topic ?? nearest(word, [...commands, ...topics]);
  const hint = meant ? `Did you mean cb help ${meant}?` : `Topics: ${topics.join(', ')}.`;
  throw usage(`No help found for '${word}'.`, { hint });
}
