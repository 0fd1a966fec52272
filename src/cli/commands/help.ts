/** `cb help …`: the help of a command, or a topic. */
import type { Command } from 'commander';
import { dayForms, periodForms } from '../dates.ts';
import { exitCodeMeanings } from '../exit-codes.ts';
import { usage } from '../failure.ts';
import { nearest } from '../nearest.ts';
import { run } from '../run.ts';
import type { Call } from '../shell.ts';

export function buildHelp(command: Command, call: Call): void {
  command.argument('[words...]', 'A command, or one of the topics').action(async (words) => {
    await help(words, command.parent, call);
  });
}

async function help(words: readonly string[], program: Command | null, call: Call): Promise<void> {
  const [first = '', ...others] = words;
  const topic = others.length === 0 ? topics[first] : undefined;
  if (topic) {
    call.context.stdout.write(`${topic()}\n`);
    return;
  }
  const commands = program?.commands.map((one) => one.name()) ?? [];
  if (first !== '' && !commands.includes(first)) {
    const near = nearest(first, [...commands, ...Object.keys(topics)]);
    throw usage(`there is no help on '${first}'`, {
      hint: near ? `did you mean ${near}?` : `topics: ${Object.keys(topics).join(', ')}`,
    });
  }
  call.code = (await run([...words, '--help'], call.context)) as Call['code'];
}

/** What `cb help` takes beside the commands, each with its text. */
export const topics: Readonly<Record<string, () => string>> = {
  'exit-codes': () =>
    Object.entries(exitCodeMeanings)
      .map(([code, meaning]) => `${code.padStart(4)}  ${meaning}`)
      .join('\n'),

  dates: () => `Dates in flags:
  ${dayForms}.
Periods (--period sets both ends):
  ${periodForms}.
A day is a Pacific day, since the service counts so; --tz takes another zone for words like today.`,

  output: () => `Formats (-o, --output):
  table    for people: the telling columns, as many as fit; the default on a terminal
  json     one valid document; numbers keep the digits that the service sent
  ndjson   a JSON object a line
  csv      a row an order; text that a spreadsheet would run as a formula gets a leading apostrophe
  tsv      tab-separated with a header line; the default in a pipe
  xml      what the service sent
Columns of csv and tsv stand in the same order in every run: the fields as the service's documents
list them, objects opened, then fields that those do not know. --spread lineItemData:2 gives columns
for the first 2 items, --no-header leaves the first line out. --text-ids keeps text like 007 or 3/4 as
typed in a spreadsheet: it is written as ="007", and then needs no apostrophe.
--out FILE writes to a file, whole or not at all; its ending picks the format. --resume goes on where the
same command was stopped. --since-last NAME brings what came since the last good run of that name.
--profile a,b and --all-profiles put the rows of several accounts into one table.
--fields receipt,totalOrderAmount picks columns, --expand lineItemData gives a row an item,
--query takes a JMESPath expression over the whole list, --raw prints the answer as received.
Results go to stdout; notes, questions and errors go to stderr (as JSON with -o json).`,

  environment: () => `Environment:
  CB_API_KEY    the key to use; goes before stored profiles, not before --profile
  CB_BASE_URL   the service that CB_API_KEY belongs to (default: the live one)
  CB_PROFILE    the profile to use; sandbox is built in
  CB_NO_HISTORY when set, nothing is kept for completion in the shell
  CI            when set, nothing is ever asked
  NO_COLOR      when set, no colour`,
};
