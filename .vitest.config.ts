import { defineConfig } from 'vitest/config';

export const config = defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The tests share no module state, so a warm thread serves many files; half of their time they wait.
    pool: 'threads',
    isolate: false,
    maxWorkers: 3,
    globalSetup: ['test/support/run-folder.ts'],
    setupFiles: ['test/support/setup.ts'],
    // Only a guard against a test that hangs: on a busy machine any test may take many times as long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export
export default config;
