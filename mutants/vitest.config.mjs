import { defineConfig } from 'vitest/config';

const [area] = (process.env.MUTANTS ?? '').split(/[=/]/);

/** The tests that try the mutants of an area. */
export default defineConfig({
  test: {
    include: [`test/${area}/**/*.test.ts`],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    pool: 'forks',
    maxWorkers: 1,
  },
});
