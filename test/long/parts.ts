/** The parts of `npm run test:long`. Most take at most about two minutes, so that `.ci/run` can take one a day. */
export interface Part {
  readonly name: string;
  /** Test files below test/, without their ending. */
  readonly files?: readonly string[];
  /** Only the tests whose title matches. */
  readonly titles?: string;
  /** A program without which the part is not run. */
  readonly needs?: string;
  /** It takes longer, so `--today` never chooses it. */
  readonly isLonger?: true;
  /** Another program instead of tests, with its arguments. */
  readonly script?: readonly string[];
}

/** Every pair of a lie and a write takes minutes. */
const lies = [
  ['refund', 'cancel', 'support'],
  ['close', 'reopen', 'change', 'comment', 'returned'],
  ['pause', 'extend', 'change-date'],
  ['reinstate', 'change-product', 'change-address'],
  ['save', 'delete', 'notice', 'notice of generation \\d'],
];

export const parts: readonly Part[] = [
  { name: 'nights', files: ['e2e/sync/nights/nights'], titles: 'one by one|without a look-back' },
  { name: 'live-nights', files: ['e2e/sync/nights/nights'], titles: 'with --live' },
  // Ten minutes and four.
  { name: 'live-traffic', files: ['e2e/ins/live-copy'], titles: 'row by row', isLonger: true },
  { name: 'live-burst', files: ['e2e/ins/live-copy'], titles: 'a burst', isLonger: true },
  { name: 'changing-key', files: ['e2e/sync/nights/changing-key'] },
  { name: 'stores', files: ['sandbox/store/durable'] },
  ...lies.map((kinds, at) => ({
    name: `lies-${at + 1}`,
    files: ['e2e/writes/lying-gateway'],
    titles: `the write (?:${kinds.join('|')}) by`,
  })),
  ...['notice', 'ticket'].map((kind) => ({
    name: `adversary-${kind}s`,
    files: ['e2e/imports/adversary'],
    titles: `${kind}s`,
  })),
  { name: 'queue', files: ['e2e/queue/interrupted'] },
  { name: 'killed-writes', files: ['e2e/writes/killed'] },
  { name: 'command-lines', files: ['fuzz/argv'] },
  { name: 'values', files: ['fuzz/parameters', 'fuzz/resources', 'e2e/writes/typed-lines'] },
  { name: 'killed-syncs', files: ['e2e/sync/robust/kills', 'e2e/sync/parquet', 'storage/lock'] },
  { name: 'machines', files: ['e2e/sync/robust/machines'] },
  { name: 'killed-exports', files: ['e2e/exports/export'] },
  { name: 'killed-schedules', files: ['e2e/exports/schedule'] },
  { name: 'killed-listeners', files: ['e2e/ins/listen', 'e2e/sandbox/ins'] },
  {
    name: 'figures',
    files: ['e2e/earnings/one-answer', 'e2e/earnings/summary.property', 'e2e/lists/zoned-days'],
  },
  { name: 'metrics', files: ['e2e/metrics/metrics.property'] },
  { name: 'agents', files: ['e2e/mcp/hostile/long-queries', 'e2e/ins/strict-receiver'] },
  { name: 'load', files: ['sandbox/http/load', 'e2e/sync/requests'] },
  {
    name: 'pages-and-streams',
    files: [
      'shell/help/pages',
      'e2e/lists/tables',
      'e2e/lists/pipes',
      'e2e/network/misbehaving',
      'e2e/spreadsheets/memory',
    ],
  },
  { name: 'reports', files: ['e2e/lists/report-page'] },
  { name: 'terminals', files: ['e2e/terminal/terminals', 'e2e/terminal/mistakes'] },
  { name: 'keys', files: ['e2e/keys/keys-masked', 'e2e/keys/keys-file'] },
  {
    name: 'programs',
    files: ['library/bundlers', 'library/types', 'features/ins/receivers', 'build/compile'],
  },
  { name: 'parquet', script: ['test/bench/parquet.ts', '10000', '200000'] },
  { name: 'other-times', needs: 'faketime', script: ['test/days/main.ts', '--count', '1'] },
];
