/** The code that `npm run test:mutants` changes, and the tests that are expected to notice. Paths begin with these texts. */
export interface Area {
  readonly name: string;
  readonly sources: readonly string[];
  /** Run after the tests that import the changed file, the first ones first. */
  readonly tests: readonly string[];
}

export const areas: readonly Area[] = [
  {
    name: 'safe writes',
    sources: ['src/safe-write/'],
    tests: ['test/safe-write/', 'test/library/safe', 'test/e2e/writes/'],
  },
  {
    name: 'ledger',
    sources: ['src/ledger/', 'src/safe-write/recording.ts'],
    tests: ['test/ledger/', 'test/e2e/writes/log', 'test/e2e/imports/journal', 'test/e2e/queue/'],
  },
  {
    name: 'imports',
    sources: ['src/features/import/'],
    tests: ['test/features/import/', 'test/e2e/imports/', 'test/e2e/lists/refusals'],
  },
  {
    name: 'approvals',
    sources: ['src/features/agents/approvals/', 'src/features/agents/write-call.ts'],
    tests: ['test/features/agents/approvals/', 'test/e2e/mcp/'],
  },
  {
    name: 'paging',
    sources: ['src/client/paging/'],
    tests: ['test/client/paging/', 'test/client/client', 'test/e2e/lists/'],
  },
  {
    name: 'sync',
    sources: ['src/features/sync/'],
    tests: ['test/features/sync/', 'test/e2e/sync/', 'test/e2e/metrics/', 'test/e2e/ins/live-copy'],
  },
  {
    name: 'incremental export',
    sources: ['src/features/lists/'],
    tests: [
      'test/features/lists/',
      'test/e2e/lists/watch',
      'test/e2e/exports/',
      'test/e2e/lists/accounts',
      'test/e2e/lists/refusals',
      'test/e2e/lists/zoned-days',
    ],
  },
  {
    name: 'refunds',
    sources: ['src/features/tickets/'],
    tests: ['test/features/tickets/', 'test/e2e/writes/refund', 'test/e2e/queue/'],
  },
];
