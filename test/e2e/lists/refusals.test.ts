/** Lines that cb refuses before it sends anything, with what to type instead, and what it takes for dates, types and receipts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Home, type Options, sandboxHome } from '../../support/cb.ts';
import { linesOf, rowsIn } from '../../support/lines.ts';
import { asOneLine, refusalOf } from '../../support/refusal.ts';
import { sandboxJson, servedShop } from '../../support/sandbox.ts';
import { servedHome } from '../../support/served-home.ts';

const person = { columns: 80 };
const create = 'tickets create DIGITAL1 --type tech --reason ticket.type.tech_support.1 --yes';
const month = 'orders list --period 2026-02';
const since = 'orders list --since-last sheet --start-date 2026-03-01';
const types = '--period today --type sale,fee';

/** What is typed, and what cb says in place of sending anything; more is in test/golden/mistakes.txt. */
const refusals = rowsIn(`
# Days, durations and types.
orders list --start-date someday → Invalid --since 'someday'. Use YYYY-MM-DD, today, yesterday, a weekday, or an offset such as -7d. See cb help dates.
orders list --period 7 → Did you mean last-7-days?
orders list --period 03/04/2026 → Ambiguous --period '03/04/2026'. Use 2026-03-04 or 2026-04-03.
orders list --period last-0-days → 'last-0-days'. Use a period such as last-7-days
orders list --since 7d --period today → --period can't be combined with --since.
orders list --period today --timeout 5x → Invalid --timeout '5x'. Use a time from 1ms to 7d, such as 30s or 2m.
orders list --period today --timeout 0 → Invalid --timeout '0'.
orders list --period today --max-wait -1 → Invalid --max-wait '-1'. Use a time up to 7d, such as 30s or 2m.
orders list ${types} --page 1 → --page shows one response of ClickBank, so it requires a single --type.
orders list ${types} --raw → --raw shows one response of ClickBank
orders count ${types} --raw → --raw shows one response of ClickBank
orders list ${types} -o xml → -o xml shows one response of ClickBank
orders list --type refnd → Did you mean RFND?
sql 'select 1' --fields help → The columns depend on the query. Use -o json to see them.
orders schema --out orders.xlsx → A schema is XML, so it can't be written as xlsx.
analytics status --wire yaml → --wire

# Incremental exports and files.
orders list --since-last last-month → For the time, use --since or --period.
orders list --since-last 24h → For the time, use --since or --period.
orders list --since-last 2026-03-01 → For the time, use --since or --period.
orders list --since-last daily --until today → always ends today. Omit --until.
orders list --since-last a/b → Invalid --since-last 'a/b'
orders list --append a.csv → --append requires --since-last
${since} --append a.csv --out b.csv → --out and --append
${since} --append /dev/null -o csv → --append requires a regular file
orders list --period 2026-03 --resume → --resume requires --out
${month} -o csv --out x.xlsx → x.xlsx can't be written as csv, because its name ends in .xlsx.
${month} -o xlsx --out x.csv → x.csv can't be written as xlsx, because its name ends in .csv.
${month} --raw --out x.parquet → x.parquet can't be written as raw, because its name ends in .parquet.
orders count --period 2026-02 -o json --out X.XLSX → X.XLSX can't be written as json, because its name ends in .xlsx.
${since} -o csv --append x.xlsx → x.xlsx can't be written as csv, because its name ends in .xlsx.
summary --by day --totals --out x.xlsx → --totals works only with table, json, ndjson, csv and tsv, not with xlsx. Amounts with a currency have a sheet of totals in xlsx.

# Rows and columns.
${month} -o csv --spread lineItemData:0 → Invalid --spread '0'
${month} -o csv --spread lineItemData --expand lineItemData → --spread and --expand both name
${month} -o json --expand lineItemData --query length(@) → --expand and --query both shape the rows. Use one or the other.
${month} -o csv --spread lineItemData --fields receipt → --spread lineItemData requires lineItemData
${month} --layout foo → Invalid --layout 'foo'.
${month} -o csv --layout items --expand lineItemData → --layout items and --expand both shape
${month} -o csv --layout items --query [0] → --layout items and --query both shape the rows.
${month} -o csv --dates us → Invalid --dates 'us'.

# Charts.
quickstats list --chart --out a.csv → --chart writes .txt files only.
quickstats list --chart sales → Did you mean sale?
analytics dimension --chart TRACKING_ID --role VENDOR → Put arguments before --chart.
analytics dimension VENDOR --role VENDOR --account A --select HOP_COUNT --chart SALE_COUNT → The response does not contain the --chart metric SALE_COUNT.

# Searches and new orders.
find '%' → Invalid search '%'
find a → Use at least 2 characters
find → missing
find sample -o xml → can't be xml
find sample --sort time → 'find' has no --sort. Sort the output of -o json or -o csv in another program.
find sample --period nonsense → --period
find sample --since 2026-03-10 --until 2026-03-01 → must not be
orders watch --every 0 → --every
orders watch --out orders.csv → 'orders watch' has no --out. Use --out with cb orders list
orders watch --start-date today → 'orders watch' has no --start-date
orders watch --exec-max 2 → --exec-max requires --exec
orders watch --exec ' ' → --exec must not be empty

# Reports, checks and months.
check --refund-rate 0.15 → Invalid --refund-rate '0.15'. Use a percentage such as 15%.
check --refund-rate 0% → Invalid --refund-rate '0%'. Use a percentage such as 15%.
check --chargeback-rate 101% → Invalid --chargeback-rate '101%'. Use a percentage such as 1%.
check --min-sales 0 → Invalid --min-sales '0'. Use a whole number of 1 or more, such as 100.
check --by country → Invalid --by 'country'.
export month 2026-02-03 --out x.xlsx → Invalid month '2026-02-03'.
export month 2026-Q1 --out x.xlsx → Invalid month '2026-Q1'.
export month 2026-04 --out x.xlsx → 2026-04 has not begun.
export month 2026-02 --out x.html → cb export month writes .xlsx and .csv files only.
export month 2026-02 -o json → cb export month writes .xlsx and .csv files, not json.
export month 2026-02 -o csv --out x.xlsx → The file name ends in .xlsx, but --output is csv.
export month 2026-02 --journal --out x.xlsx → A journal is a csv file.

# Other operations of the catalogue.
log --origin nobody → 'nobody'. Use one of command, import, queue, agent, program.
log --origin comand → Did you mean command?
log --origin → for example --origin queue.
log --since 03/04/2026 → Ambiguous --since '03/04/2026'. Use 2026-03-04 or 2026-04-03.
ship notice add P1 --generation 1 --date today --carrier USPS --fill-order → --fill-order can't be combined with --generation 1
ship notice import . --date today --carrier USPS → . can't be read (EISDIR
api FETCH /1.3/x → <method>
api GET /1.3/x -f novalue → --field
api POST /1.3/x --paginate --yes → --paginate reads more pages, and a POST request is sent once.

# Options that a command does not have, or that have no effect.
whoami --raw → ' has no --raw.
orders reinstate CANCEL01 --yes --raw → ' has no --raw.
quickstats list --since-last daily → ' has no --since-last.
analytics trends --since-last daily → ' has no --since-last.

# Copies.
sync --tables invoices → Invalid --tables 'invoices'. Use one or several of orders, tickets,
sync --tables order_items → It comes with orders: use --tables orders.
sync --since 2027-01-01 → --since 2027-01-01 is after today.
sync --look-back soon → Invalid --look-back 'soon'.
sync --max-requests 0 → Invalid --max-requests '0'.
sync --every 5s → Invalid --every '5s'. Use a time from 1m
sync --every 15m -o ndjson → --every can't be combined with an output format.
sync --every 15m --dry-run → --every can't be combined with --dry-run.
sync shop.db --schema x → --schema works only with PostgreSQL.
sync status --tables orders → 'sync status' has no --tables.
sync forget --email ada → Invalid --email 'ada'.
sync --from shop.db → --from requires --to.
sync --to avro lake → Invalid --to 'avro'.
sync --to parquet → The folder is missing.
sync --to parquet lake --since 2026-01-01 → --since can't be combined with --to
sync --to parquet lake --tz UTC → --tz can't be used here
sync --to parquet lake -o json → An output option can't be combined with --to

# Options and words.
orders list --since 7d --start-date 7d → --since and --start-date were both given. Use one or the other.
orders list --page 0 → Invalid --page '0'. Use a whole number of 1 or more.
orders list --max-pages 0 → Invalid --max-pages '0'. Use a whole number from 1 to 1000000.
orders list --concurrency 65 → Invalid --concurrency '65'. Use a whole number from 1 to 64.
orders list --role VENDOR --role AFFILIATE → --role was given twice: VENDOR and AFFILIATE. Give it once.
orders list -o json --output csv → --output was given twice: json and csv. Give it once.
--profile a orders list --profile b → --profile was given twice: a and b. Give it once.
--timeout 5 orders list --timeout 6 → --timeout was given twice: 5 and 6. Give it once.
ship notice add PARCEL01 --fill-order --no-fill-order --date today --carrier USPS → --fill-order and --no-fill-order were both given. Use one or the other.
orders list --fields receipt --query length(@) → --query and --fields both choose columns. Use one or the other.
orders list --query [? → --query: Syntax error: invalid token (EOF): ""
orders list --out orders.ods → Unknown file format '.ods' in --out orders.ods. Use .json, .ndjson, .csv, .xlsx, .parquet, .tsv,
orders list --delimiter ;; → --delimiter works only with csv, not with tsv.
${month} -o csv --delimiter " → Invalid --delimiter '"'. Use one character, such as ; or |, or tab.
${month} -o csv --delimiter e → Invalid --delimiter 'e'.
orders list --period last-7-days --sandbox --profile shop → --sandbox and --profile name different services. Use one or the other.
orders list --all-profiles --sandbox → --all-profiles and --sandbox can't be combined. Use one or the other.
orders list --all-profiles --profile shop → --all-profiles and --profile can't be combined. Use one or the other.
orders get ../../x → Invalid <receipt> '../../X'. Use letters, digits and dashes, as in MONTHLY1 or MONTHLY1-B002.
orders pause MONTHLY1 --yes → --restart-date is missing. Try: cb orders pause --help
orders change-address SHIPBOX1 --yes → --address1, --city, --country-code are missing. Try: cb orders change-address --help
sandbox clock advance → <time> is missing.
sandbox clock advance 20 → Invalid <time> '20'. Use a time from 1s to 70000d, such as 12h, 30d or 2w.
sandbox clock advance 500ms → Invalid <time> '500ms'. Use a time from 1s to 70000d, such as 12h, 30d or 2w.
sandbox clock back 2d → Unknown action 'back'. The clock can only advance. Try: cb sandbox clock advance 1d

# Values of tickets.
tickets create DIGITAL1 --type cancel --yes → --reason is missing. Values of --reason: 1 (no additional value for recurring payments), 2 (not
tickets create --type cancel --reason 1 --yes → cb: <receipt> is missing.
tickets create DIGITAL1 --type refun --reason 2 --yes → Invalid --type 'refun'. Use one of rfnd, cncl, tech.
tickets create DIGITAL1 --type subscription --reason other --yes → Invalid --type 'subscription'. Use one of rfnd, cncl, tech.
tickets create DIGITAL1 --type refund --reason 2 --refund-type full --verify-wait soon --yes → Invalid --verify-wait 'soon'. Use a time up to 1h, such as 30s or 2m.
tickets create DIGITAL1 --type refund --reason 2 --refund-type full --verify-wait 61m --yes → Invalid --verify-wait '61m'. Use a time up to 1h, such as 30s or 2m.
tickets create DIGITAL1 --type refund --reason 2 --refund-type full --verify-wait=-1s --yes → Invalid --verify-wait '-1s'. Use a time up to 1h, such as 30s or 2m.
tickets create --from cancel.csv --type cncl --reason ticket.type.cancel.7 --yes --raw → --raw prints one response as received

# Other spellings of writes, and values that are missing.
tickets close 1001,1003 --yes → '1001,1003' is not a <id>: nothing was sent. To write to several, separate them with spaces: 1001 1003.

# Help, keys and summaries.
help json → No help found for 'json'. Did you mean cb help output?
help csv → No help found for 'csv'. Did you mean cb help output?
help period → No help found for 'period'. Did you mean cb help dates?
help flags → No help found for 'flags'. Did you mean cb help options?
help exit → No help found for 'exit'. Did you mean cb help exit-codes?
help env → No help found for 'env'. Did you mean cb help environment?
help permission → No help found for 'permission'. Did you mean cb help credentials?
help dry-run → No help found for 'dry-run'. Did you mean cb help safety?
help foo → No help found for 'foo'. Topics: dates, output, options, reasons, exit-codes, environment, credentials, safety, sandbox.
login --key-command 'op read x' --with-key → --key-command and --with-key can't be combined.
login --key-command 'op read x' --keychain → --key-command and --keychain can't be combined.
login --key-command '' → --key-command is empty.
config set pac 4 → There is no setting 'pac'. Did you mean pace?
config get colour → There is no setting 'colour'. Settings: pace, pager, account, refund-rate, chargeback-rate, min-sales.
config set pager maybe → Invalid pager 'maybe'. Use on or off.
config set pace 11 → Invalid pace '11'. Use a number from 0.1 to 10
config set pace 0.05 → Invalid pace '0.05'.
config set refund-rate 0.12 → Invalid refund-rate '0.12'. Use a percentage such as 15%.
config unset → <name> is missing. Use cb config unset <name>
summary --by prod → Invalid --by 'prod'. Did you mean product?
summary --compare never → Invalid --compare 'never'. Use one of previous, week-before, month-before, year-before.
summary --limit 3 → --limit works only with --by. Add --by product, for example.
summary --sort net → --sort works only with --by. Add --by product, for example.
summary --period 2027 → The period begins on 2027-01-01, which is after today. Use a period that has begun, such as last-30-days.
quickstats report --period 2027 --out r.html → The period begins on 2027-01-01, which is after today. Use a period that has begun, such as last-30-days.
summary --period last-7-day --by dy → Invalid --by 'dy'. Did you mean day?
`);

test.each<[line: string, says: string | RegExp, options?: Options]>([
  ...refusals,
  ['orders watch -o json', /can.t be written as json/],
  ['orders watch -o xml', /can(not|'t) be xml/],
  ['quickstats report', 'Missing --out.', person],
  ['export month 2026-02', 'Add --out 2026-02.xlsx.', person],
  ['quickstats report -o json', 'A report is HTML, so --output json', person],
  ['quickstats report --out report.pdf', 'cb quickstats report writes .html files only', person],
  ['quickstats report --out - --start-date today --end-date -3d', '--until must not be', person],
  [
    'products save X --site S --currency USD --price 1 --language EN --title T',
    /--thank-you-page or --mobile-thank-you-page is required.*--pitch-page or --mobile-pitch-page/,
  ],
  ['ship list --generation 4', /Invalid --generation '4'.*Use one of 1, 2, 3/],
  ...['skip-invalid', 'results out.csv', 'journal done.jsonl', 'concurrency 2', 'delimiter ;'].map(
    (option): [string, string] => [
      `${create} --${option}`,
      `--${option.split(' ')[0]} requires --from with a CSV file.`,
    ],
  ),
  ...[
    ...['orders active MONTHLY1', 'whoami', 'doctor', 'sandbox status'],
    ...['orders reinstate CANCEL01 --yes', 'tickets close 1001 1003 --yes'],
  ].map((line): [string, string] => [`${line} -o xml`, 'xml']),
  ["orders list --period today --email 'a\nb'", /--email.*line break/],
  [`orders list --email ${'x'.repeat(2000)}`, /2000/],
  [
    'tickets create DIGITAL1 --type rfnd --refund-type FULL --reason ticket.type.cancel.1 --yes',
    /--reason must match --type rfnd\. Use one of (ticket\.type\.refund\.[\w.]+ \([^)]+\)(, )?)+\. $/,
  ],
])('refuses cb %s before sending anything', async (line, says, options) => {
  const err = await refusalOf(line, options);
  expect(asOneLine(err)).toMatch(says);
  expect(err.trimEnd().split('\n').length).toBeLessThanOrEqual(options ? 4 : 2);
  expect(err).not.toMatch(/\bat .*\.[jt]s\b/);
});

const byPacificDay = 'ClickBank counts these figures by Pacific day';

test.each<readonly [line: string, says: string]>([
  ['orders list --period today --raw', '--raw shows one response of ClickBank'],
  ['orders list --period today -o xml', '-o xml shows one response of ClickBank'],
  ['orders list --period today --page 2', '--page shows one response of ClickBank'],
  ['orders list --page 1', '--page shows one response of ClickBank'],
  ['orders count --period today --raw', '--raw shows one response of ClickBank'],
  ['ship list --days 7', 'a period needs its first and its last day'],
  ...[
    ...['quickstats list', 'quickstats count --period today', 'quickstats accounts'],
    ...['quickstats report --out report.html', 'export month last-month --out month.xlsx'],
    ...['summary', 'today', 'check', 'metrics mrr'],
    ...['sync --since yesterday', 'sync check --period yesterday'],
  ].map((line) => [line, byPacificDay] as const),
  ...[
    ...['trends --role VENDOR --account A --period today'],
    ...['dimension AFFILIATE --role VENDOR --account A'],
    ...['subscriptions list --role VENDOR --account A'],
  ].map((line) => [`analytics ${line}`, 'by Pacific day'] as const),
])('refuses another time zone before anything is sent: cb %s', async (line, says) => {
  expect(asOneLine(await refusalOf(`${line} --tz Asia/Tokyo`))).toContain(says);
});

interface Order {
  readonly receipt: string;
  readonly transactionType: string;
  readonly transactionTime: string;
}

const year = 'orders list --period this-year --fields receipt,transactionType,transactionTime';

test.each<readonly [line: string, first: string, last: string]>([
  // test/dates/words.test.ts has all words.
  ["orders count --since '20 Nov'", '2025-11-20', '2026-03-18'],
  ['orders count --since -7d --until yesterday', '2026-03-11', '2026-03-17'],
  ['orders count --start-date 13/02/2026 --until 2w', '2026-02-13', '2026-03-04'],
  ["orders count --period 'last 7 days'", '2026-03-12', '2026-03-18'],
  ...['quickstats count', 'ship count', 'analytics trends --role VENDOR --account A'].map(
    (command) => [`${command} --since -2d --until -1d`, '2026-03-16', '2026-03-17'] as const,
  ),
])('cb %s requests %s to %s', async (line, first, last) => {
  const { cb, asked } = await servedHome((reply) => reply.end('1'));
  await cb(`${line} --max-wait 0`);
  const query = new URL(`http://x${asked.at(-1)?.url}`).searchParams;
  expect([query.get('startDate'), query.get('endDate')]).toEqual([first, last]);
});

test('selects tickets by the day on which they were opened with --since', async () => {
  const at = await sandboxHome(60);
  const since = await sandboxJson(at, 'tickets list --since 2026-03-10');
  expect(since).toEqual(await sandboxJson(at, 'tickets list --create-date-from 2026-03-10'));
  expect(since.length).toBeGreaterThan(0);
});

/** The orders of the year with these types, as one list of all types shows them. */
async function expected(at: Home, ...types: string[]): Promise<Order[]> {
  const all: Order[] = await sandboxJson(at, year);
  return all.filter(({ transactionType }) => types.includes(transactionType));
}

test('merges several types in the order of the service, without a row twice', async () => {
  const at = await sandboxHome(900);
  const wanted = await expected(at, 'RFND', 'CGBK', 'BILL');
  expect(wanted.length).toBeGreaterThan(100);
  expect(await sandboxJson(at, `${year} --type refund,chargeback --type rebill`)).toEqual(wanted);
  expect(await sandboxJson(at, `${year} --type refund,chargebacks,BILL --limit 60`)).toEqual(
    wanted.slice(0, 60),
  );
  const count = 'orders count --period this-year --type refund,chargeback,bill';
  expect(await sandboxJson(at, count)).toBe(wanted.length);
});

test('sends one request if a type is given several times', async () => {
  const { sandbox, cb } = await servedShop();
  await cb('orders list --period yesterday --type refund,RFND -o json');
  expect(sandbox.requests.filter(({ path }) => path.includes('/list'))).toHaveLength(1);
});

test('exports several types to a file, resumed and incrementally, each row once', async () => {
  const at = await sandboxHome();
  const orders = await expected(at, 'RFND', 'BILL');
  const wanted = orders.map(({ receipt, transactionType }) => `${receipt},${transactionType}`);
  const list =
    '--sandbox orders list --type refund,rebill --fields receipt,transactionType -o csv --no-header';
  const file = `${list} --period this-year --out year.csv --resume`;
  expect(await at.cb(file)).toMatchObject({ code: 0 });
  expect(linesOf(readFileSync(join(at.folder, 'year.csv'), 'utf8'))).toEqual(wanted);
  const since = `${list} --since 2026-01-01 --since-last sheet`;
  expect(linesOf((await at.cb(since)).out)).toEqual(wanted);
  expect(await at.cb(since)).toMatchObject({ code: 0, out: '' });
});

test('prints the rows of several receipts in order, none twice, however they are typed', async () => {
  const at = await sandboxHome(60);
  const one: Order[] = await sandboxJson(at, "orders get ' digital1 '");
  const other: Order[] = await sandboxJson(at, 'orders get MONTHLY1');
  for (const typed of ['digital1 MONTHLY1 DIGITAL1', 'digital1,MONTHLY1']) {
    expect(await sandboxJson(at, `orders get ${typed}`)).toEqual([...one, ...other]);
  }
  const piped = await at.cb('--sandbox orders get - -o json', { stdin: 'DIGITAL1\nMONTHLY1\n' });
  expect(JSON.parse(piped.out)).toEqual([...one, ...other]);
  const some = await at.cb('--sandbox orders get DIGITAL1 NONE0001 MONTHLY1 -o json');
  expect(some.code).toBe(8);
  const message = expect.stringMatching(/^NONE0001: /);
  expect(JSON.parse(some.err)).toMatchObject({ code: 4, message });
  expect(JSON.parse(some.out)).toEqual([...one, ...other]);
  expect((await at.cb('--sandbox orders get NONE0001 NONE0002')).code).toBe(4);
  expect((await at.cb('--sandbox orders get NONE0001')).code).toBe(4);
});

test('suggests a filter with % if one without it finds nothing, where the service accepts it', async () => {
  const { cb } = await sandboxHome(60);
  const year = '--period this-year --email';
  for (const [line, note] of [
    [`orders list ${year} ada -o json`, "use --email '%ada%'."],
    [`orders count ${year} ada`, "use --email '%ada%'."],
    ['tickets list --receipt month -o json', "use --receipt 'MONTH%'."],
    [`orders list ${year} '%a%' -o json`, ''],
    [`orders list ${year} '%zzz%' -o json`, ''],
  ] as const) {
    const { code, err } = await cb(`--sandbox ${line}`);
    expect({ line, code, isNoted: err !== '' }).toEqual({ line, code: 0, isNoted: note !== '' });
    expect(err).toContain(note);
  }
});
