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
    sources: ['src/workflows/safe-write/'],
    tests: ['test/workflows/safe-write/', 'test/library/safe', 'test/e2e/writes/'],
  },
  {
    name: 'ledger',
    sources: ['src/workflows/bulk-import/journal.ts', 'src/workflows/queue/action-log.ts'],
    tests: ['test/workflows/queue/', 'test/e2e/imports/journal', 'test/e2e/queue/'],
  },
  {
    name: 'imports',
    sources: ['src/workflows/bulk-import/', 'src/cli/import/'],
    tests: ['test/workflows/bulk-import/', 'test/e2e/imports/'],
  },
  {
    name: 'approvals',
    sources: ['src/workflows/approvals/', 'src/cli/approvals/', 'src/mcp/writes/'],
    tests: ['test/workflows/approvals/', 'test/e2e/mcp/'],
  },
  {
    name: 'paging',
    sources: ['src/client/paging/'],
    tests: ['test/client/paging/', 'test/client/client', 'test/e2e/lists/'],
  },
  {
    name: 'sync',
    sources: ['src/workflows/sync/'],
    tests: ['test/workflows/sync/', 'test/e2e/sync/'],
  },
  {
    name: 'incremental export',
    sources: ['src/workflows/incremental-export/'],
    tests: ['test/workflows/incremental-export/', 'test/e2e/exports/'],
  },
  {
    name: 'refunds',
    sources: ['src/workflows/refund/', 'src/cli/refund/'],
    tests: ['test/workflows/refund/', 'test/e2e/writes/refund', 'test/e2e/queue/'],
  },
];
