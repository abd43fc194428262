import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/browser/setup.ts'],
    env: { TZ: 'UTC' },
    testTimeout: 60_000,
    // Of two processors, one is left idle without it.
    maxWorkers: '100%',
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'node_modules/.cache/vitest.json' }]] : ['default'],
  },
});
