import { defineConfig } from 'vitest/config';
import { CountReporter } from './test/support/count-reporter.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    pool: 'forks',
    maxWorkers: 2,
    reporters: ['default', new CountReporter()],
  },
});
