import { setFlagsFromString } from 'node:v8';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the slowest first: begun last, one of them would run on alone. */
const slowFiles = [
  'terminal/examples',
  'lists/combinations',
  'lists/report-page',
  'imports/adversary',
  'exports/export',
  'earnings/one-answer',
  'storage/lock',
  'nights/changing-key',
  'fuzz/argv',
  'ins/listen',
  'ins/live-copy',
  'sql/sql',
  'robust/kills',
  'terminal/signals',
  'spreadsheets/memory',
  'notifications/delivery',
  'library/types',
  'terminal/pager',
  'network/pace',
  'nights/nights',
  'writes/typed-lines',
  'writes/lying-gateway',
  'terminal/locks',
];

// In MiB, for each thread: most objects of a test die young, and collecting them seldom costs less.
setFlagsFromString('--max-semi-space-size=64');

const report = process.env.CB_TEST_REPORT;

class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const place = slowFiles.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return place < 0 ? slowFiles.length : place;
    };
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}

export const config = defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The tests share no module state, so a warm thread serves many files; most of their time they wait.
    pool: 'threads',
    isolate: false,
    maxWorkers: 5,
    // .ci/run counts the tests in a file.
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    sequence: { sequencer: SlowFilesFirst },
    globalSetup: ['test/support/seeds.ts'],
    setupFiles: ['test/support/setup.ts'],
    // Only a guard against a test that hangs: on a busy machine any test may take many times as long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export
export default config;
