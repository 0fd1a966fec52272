/** `cb sql`: questions to the copy that `cb sync` makes. */
import { type Command, Option } from 'commander';
import { helpGroups } from '../../flags/flags.ts';
import { addShowFlags, readShowFlags, type ShowFlags } from '../../flags/show-flags.ts';
import { addHelp, type HelpText } from '../../help/help-text.ts';
import { addAction } from '../../runtime/command.ts';
import type { Call, CommonFlags } from '../../runtime/command-context.ts';
import type { SqlFlags } from '../../sql/run-sql.ts';

const shows = { rows: true };

const helpText: HelpText = {
  notes: [
    'Answers from the copy that cb sync makes: no request is sent, and nothing can be changed. The SQL is that of SQLite. For a copy in PostgreSQL, use psql.',
    'A value for ? or :name that is a number counts as one, null is NULL, and anything else is text.',
  ],
  examples: [
    "cb sql '.tables'",
    "cb sql '.schema orders'",
    "cb sql 'select country, round(sum(net), 2) as net from payments group by 1'",
    "cb sql 'select product, round(sum(net), 2) as net from sales_by_day_and_product group by 1'",
    "cb sql 'select receipt from orders where email = :email' --param email=ada.sample@example.com",
  ],
  obeys: ['--profile', '--sandbox'],
  topics: ['output', 'exit-codes'],
};

const options: readonly (readonly [flags: string, summary: string])[] = [
  ['--file <file>', 'Read the SQL from a file'],
  ['--database <db>', 'Another copy, such as shop.db'],
];

export function buildSql(command: Command, call: Call): void {
  command.argument('[query]', 'One SELECT statement, .tables, .schema [table], or - for stdin');
  command.argument('[values...]', 'The values of ? in the query, in order');
  for (const [flags, summary] of options) {
    command.addOption(new Option(flags, summary).helpGroup(helpGroups.options));
  }
  const param = new Option('--param <name=value>', 'The value of :name in the query; repeatable');
  param.argParser((text: string, before: string[] = []) => [...before, text]);
  command.addOption(param.helpGroup(helpGroups.options));
  addShowFlags(command, shows);
  addHelp(command, () => helpText);
  addAction<CommonFlags & ShowFlags & SqlFlags>(
    command,
    call,
    async (cmd, flags, query, values) => {
      const output = readShowFlags(cmd, flags, shows);
      const { runSql } = await import('../../sql/run-sql.ts');
      await runSql(cmd, flags, output, { query, values: [values ?? []].flat() });
    },
  );
}
