import { defineConfig } from 'vitest/config';
import { CountReporter } from './test/support/count-reporter.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // A machine under load is slow, not wrong.
    expect: { poll: { timeout: 120_000, interval: 20 } },
    pool: 'forks',
    // One more than CI has processors: many tests wait for another process.
    maxWorkers: 3,
    // Nearly all that a test makes is garbage soon: with a large nursery, a tenth less time goes by.
    execArgv: ['--max-semi-space-size=64'],
    reporters: ['default', new CountReporter()],
  },
});
