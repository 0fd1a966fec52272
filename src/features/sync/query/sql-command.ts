/** `cb sql`: questions to the copy that `cb sync` makes. */
import { command, repeatable } from '../../../shell/define.ts';

export const sql = command({
  words: 'sql',
  args: {
    '[query]': 'One SELECT statement, .tables, .schema [table], or - for stdin',
    '[values...]': 'The values of ? in the query, in order',
  },
  options: {
    file: ['--file <file>', 'Read the SQL from a file'],
    database: ['--database <db>', 'Another copy, such as shop.db'],
    param: ['--param <name=value>', 'The value of :name in the query; repeatable', repeatable],
  },
  shows: { rows: true },
  help: {
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
  },
  async run(cmd, flags, output) {
    const { runSql } = await import('./run-sql.ts');
    await runSql(cmd, flags, output, { query: flags.query, values: flags.values ?? [] });
  },
});
