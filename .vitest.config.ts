import { defineConfig } from 'vitest/config';

export const config = defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The tests share no module state, so one warm thread per core serves all files.
    pool: 'threads',
    isolate: false,
    globalSetup: ['test/support/run-folder.ts'],
    setupFiles: ['test/support/setup.ts'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from the default export
export default config;
