/** All other names: what people type for a command, a phrase or an option. */

/** `key: text; key: text`, over several lines. */
function table(text: string): Readonly<Record<string, string>> {
  const rows = text.trim().split(/ *[;\n] */);
  return Object.fromEntries(rows.map((row) => row.split(/: (.*)/)));
}

/** Commands to type, by what they are for. `<…>` stands for the word after the phrase. */
export type Ways = Readonly<Record<string, string>>;

/** Other spellings of options, which are accepted wherever the option itself is. */
export const acceptedOptions: ReadonlyMap<string, string> = new Map(
  Object.entries(table('-n: --limit; -?: --help; /?: --help; -help: --help; -output: --output')),
);

/** By the name of a command or group, at any level: other words for it. Where several fit, the first that exists counts. */
export const otherWords = table(`
  find: search lookup; orders: order transaction transactions purchase purchases; tickets: ticket case cases
  products: product item items sku skus; quickstats: quickstat stats stat; ship: shipping shipment shipments ships
  notice: notices; ins: webhook webhooks ipn notification notifications; trigger: fire simulate send; decrypt: decode
  secrets: secret; analytics: analytic; summary: earnings overview dashboard
  sync: synchronize synchronise mirror replicate; sql: query; metrics: metric kpi kpis
  approve: approvals approval confirm accept; mcp: agent agents ai; profiles: profile
  config: configs setting settings; completion: completions autocomplete
  login: signin sign-in log-in authenticate configure init setup; logout: signout sign-out log-out; whoami: me
  doctor: diagnose diagnostics; list: ls all search find query export lists
  get: show view read fetch lookup info details describe; count: total; watch: tail follow stream monitor
  create: new add make; add: create new; delete: rm remove del; remove: rm delete del; unset: rm remove delete clear
  use: switch select; images: image; accounts: account nicknames; subscriptions: subscription; dimension: dimensions
  trends: trend; upsells: upsell; refund-amounts: refund-amount amounts; status: info state; start: serve run
  listen: receive serve forward start; resend: replay redeliver retry; reconcile: compare diff missing lost
`);

/** The name that a word stands for among these. */
export function nameFor(word: string, names: readonly string[]): string | undefined {
  const means = (name: string) => otherWords[name]?.split(' ').includes(word);
  return names.find((name) => name === word) ?? names.find(means);
}

/** By command, or the group whose command follows: phrases for it, with the names of groups as they are. */
const phrases = table(`
  --version: version; --help: commands, usage; login: auth login; logout: auth logout
  whoami: auth status, auth whoami, profiles current; profiles list: auth list, profiles show
  profiles use: auth switch; alias set: alias add, alias create; config list: config show, config view
  tickets refund: refund, refund orders, refund receipt, orders refund; tickets work: queue, tickets queue
  quickstats report: report; analytics subscriptions: subscription, subscriptions; analytics trends: trends
  products images: images, images list, list images; quickstats accounts: accounts, accounts list, list accounts
  ship notice: notices, notice
`);

/** Kinds of transactions that people name as if each had its own list. */
const kinds = { sales: 'SALE', rebills: 'BILL', refunds: 'RFND', chargebacks: 'CGBK', fees: 'FEE' };

export const allPhrases: ReadonlyMap<string, string> = new Map([
  ...Object.entries(phrases).flatMap(([command, said]) =>
    said.split(', ').map((phrase) => [phrase, command] as const),
  ),
  ...Object.entries(kinds).flatMap(([kind, type]) => {
    const counting = [`count ${kind}`, `${kind} count`];
    const listing = `list ls show get search export ${otherWords.get}`
      .split(' ')
      .flatMap((verb) => [`${verb} ${kind}`, `${kind} ${verb}`]);
    return [
      ...[kind, `orders ${kind}`, ...listing].map((phrase) => [phrase, `list --type ${type}`]),
      ...counting.map((phrase) => [phrase, `count --type ${type}`]),
    ].map(([phrase = '', command]) => [phrase, `orders ${command}`] as const);
  }),
]);

/**
 * Phrases that could mean several commands, or a write that does more than its words say: verbs, the groups before or after
 * them (`-` for none), and the commands by what they are for.
 */
const meanings = `
  cancel | - orders subscription subscriptions | cancel a subscription: tickets create <receipt> --type cncl; refund
    a payment: tickets refund <receipt>
  unsubscribe | - | cancel a subscription: tickets create <receipt> --type cncl; refund a payment: tickets refund
    <receipt>
  update edit modify change set | orders | change the shipping address: orders change-address <receipt>; change the
    next bill date: orders change-date <receipt>; change the product: orders change-product <receipt>
  create new add | orders | fill the sandbox with sample orders: sandbox seed
  delete remove rm del | orders | refund it, because orders are never deleted: tickets refund <receipt>
  resume restart reactivate unpause uncancel | orders subscription subscriptions | restart a canceled subscription:
    orders reinstate <receipt>
  pause | subscription subscriptions | pause a subscription: orders pause <receipt>
  create new add update edit set change modify | products | create or change a product: products save <sku>
  open | tickets | list open tickets: tickets list --status open; open a ticket: tickets create <receipt>; reopen a
    ticket: tickets reopen <id>
  delete remove rm resolve done finish | tickets | close a ticket: tickets close <id>
  update edit set modify | tickets | change the kind of a ticket: tickets change <id>; add a comment: tickets
    comment <id>
  reply answer note | tickets | add a comment: tickets comment <id>; answer one ticket after the other: tickets work
  cancel | tickets | cancel a subscription: tickets create <receipt> --type cncl; withdraw an open refund: tickets
    close <id>
  add create new mark | ship | report a shipment: ship notice add <receipt>
  import upload | ship | create ship notices: ship notice import <file>
  import | - tickets | create tickets: tickets create --from <file>; create ship notices: ship notice import <file>
  decline reject deny | - | decline a plan of an agent: approve <id> --decline
  plan plans pending | - list | list the plans of agents that wait: approve
  clock | - | advance the clock of the sandbox: sandbox clock advance 1d
  add create new | profiles | store an API key: login --profile <name>
  key keys token api-key | - | store an API key: login; list the stored profiles: profiles list
  auth | - | store an API key: login; remove it: logout; show what it may do: whoami
  status | - | show which key is used: whoami; check the setup: doctor; show the sandbox: sandbox status; show how
    old the copy is: sync status
  backup dump database db copy | - | copy the account into a database: sync; list the orders: orders list -o csv
    --out orders.csv
  churn mrr retention cohort cohorts | - | show recurring revenue and churn by month: metrics
    mrr-by-month; show revenue and retention of customers: metrics cohorts
  claude cursor vscode gemini windsurf | - | let an agent read your account: mcp install claude
  yesterday | - | list the orders: orders list --period yesterday; show what you earned: summary --period yesterday
  revenue income totals commissions | - | show what you earned: summary --period this-month; show the totals by day:
    quickstats list --period this-month
  customer customers | - list search find get show | find a customer's orders and tickets: find <email>
`;

export const answers: ReadonlyMap<string, Ways> = new Map(
  meanings
    .trim()
    .replaceAll(/\n {4}/g, ' ')
    .split('\n')
    .flatMap((row) => {
      const [verbs = '', groups = '', ways = ''] = row.trim().split(' | ');
      return verbs.split(' ').flatMap((verb) =>
        groups
          .split(' ')
          .flatMap((group) => (group === '-' ? [verb] : [`${group} ${verb}`, `${verb} ${group}`]))
          .map((phrase) => [phrase, table(ways)] as const),
      );
    }),
);

/** By option: other words for it, long or short, without dashes. A suggestion names those that the command has. */
export const otherOptions = table(`
  --since: from start begin after from-date date-from startdate start-date begin-date first s
  --until: to till end before through to-date date-to enddate end-date e
  --period: date dates day days range when month time timeframe date-range last year week quarter p
  --limit: number count max top head rows size num max-results max-rows page-size per-page take l
  --output: format fmt as f out-format output-format pretty wide xlsx excel
  --out: file save output-file outfile to-file filename destination write o-file; --from: file input in csv source
  --columns: fields column cols field select attributes
  --fields: columns column cols field select attributes properties; --query: jq jmespath q
  --order-by: sort sort-by order orderby; --sort: sort-by order-by order orderby
  --yes: force confirm assume-yes no-confirm no-prompt f; --no-input: non-interactive no-interactive batch ci
  --debug: verbose trace log d vv v
  --sku: product product-id item item-no item-number products i; --product-id: product sku item
  --type: kind category transaction-type ticket-type state t; --status: state type s
  --email: customer buyer client customer-email mail e-mail user e
  --last-name: customer buyer name surname customer-name lastname
  --vendor: account nickname site seller merchant store; --affiliate: partner referrer aff
  --account: vendor nickname site seller merchant store
  --tracking-id: tid tracking trackingid promo promo-code; --tracking: tracking-number tracking-id trackingid track
  --postal-code: zip zipcode zip-code postcode; --receipt: order order-id id transaction-id r
  --sandbox: test mock demo staging env environment s
  --dry-run: preview check simulate dryrun dry what-if noop plan d n; --tz: timezone time-zone zone utc
  --reason: why reason-code cause; --comment: note message msg text m comments body
  --comments: note message msg text m comment; --refund-amount: amount partial money value price
  --refund-type: partial full; --amount: price total sum value; --price: amount cost
  --page: page-number offset skip p; --concurrency: threads parallel jobs workers j
  --max-wait: retries retry max-retries wait; --timeout: request-timeout time-out; --delimiter: separator sep delim
  --event-version: version
  --no-header: headers no-headers noheader header skip-header; --profile: account-name profile-name p
  --no-color: color colour no-colour monochrome; --group-by: group by groupby dimension
  --date: ship-date shipped day when; --carrier: shipper provider courier; --restart-date: until date resume-date
`);

/** What to do instead, where no option of the command does it. */
export const optionAdvice: Readonly<Record<string, string>> = Object.fromEntries(
  [
    [
      'key api-key apikey token password secret',
      'No option takes a key, because other users could read it. Use cb login, or set CB_API_KEY.',
    ],
    ['url host endpoint base-url', 'Set CB_BASE_URL to the URL of the service.'],
    ['filter where search', 'Each filter is an option of its own. Add --help to list them.'],
    ['all a paginate', 'Leave it out: lists return all rows unless --limit is given.'],
    ['quiet silent q', 'Add 2>/dev/null to the command to hide notes and progress.'],
    ['follow watch w', 'Use cb orders watch to show new orders as they arrive.'],
    ['sort sort-by order-by', 'Sort the output of -o json or -o csv in another program.'],
    ['desc descending', 'Add :desc to the field of --sort, as in --sort totalOrderAmount:desc.'],
    ['first-name', "ClickBank can't search by first name alone. Use cb find with both names."],
    ['usage', 'Did you mean --help?'],
  ].flatMap(([names = '', advice = '']) => names.split(' ').map((name) => [name, advice])),
);
