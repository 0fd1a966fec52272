import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest: begun last, one of them would run on alone when all others are done. */
const slow = /(export-faults|argv|import-faults|memory|watch|export|load|misbehaving)\.test\.ts$/;

class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => slow.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

export const config = defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The tests share no module state, so a warm thread serves many files; half of their time they wait.
    pool: 'threads',
    isolate: false,
    maxWorkers: 3,
    sequence: { sequencer: SlowFilesFirst },
    globalSetup: ['test/support/run-folder.ts'],
    setupFiles: ['test/support/setup.ts'],
    // Only a guard against a test that hangs: on a busy machine any test may take many times as long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export
export default config;
