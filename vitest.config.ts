import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { CountReporter } from './test/support/count-reporter.ts';

// These tests replace functions of the program, or are long enough for a process of their own, or count what their process
// holds. All others leave nothing behind in theirs: no listener, clock or variable that another file could meet.
const apart = [
  ...['attack', 'faults', 'soak'].map((folder) => `test/${folder}/**/*.test.ts`),
  'test/cli/outside-values.test.ts',
  'test/laws/law-06-values-from-outside.test.ts',
  'test/watch/source-events.test.ts',
  'test/watch/weeks.test.ts',
];

// Node 22.18 and later run TypeScript. Vite's module runner takes a fifth more: each use of an import is a call there. What its modules
// export can be replaced, so the tests apart keep it.
const runsTypes = (process.features as { readonly typescript?: unknown }).typescript === 'strip';

const tunedCompiler = fileURLToPath(new URL('scripts/tuned-compiler.cjs', import.meta.url));

export default defineConfig({
  test: {
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // A machine under load is slow, not wrong.
    expect: { poll: { timeout: 120_000, interval: 20 } },
    pool: 'forks',
    // Two more than CI has processors: many tests wait for another process.
    maxWorkers: 4,
    // Nearly all that a test makes is garbage soon: with a large nursery, a tenth less time goes by.
    // Most of its code runs a few times: with less of it optimised, a seventh less on Node 20.
    execArgv: ['--max-semi-space-size=64', `--require=${tunedCompiler}`],
    // Kept by content, for both projects, the next run and the other Node: a run of one file takes a third less.
    experimental: { fsModuleCache: true },
    setupFiles: ['test/support/same-cases.ts'],
    reporters: ['default', new CountReporter()],
    projects: [
      { extends: true, test: { name: 'apart', include: apart } },
      // Half of the time of such a file is its imports, which a process then does once.
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: apart,
          isolate: false,
          experimental: { fsModuleCache: true, viteModuleRunner: !runsTypes, nodeLoader: false },
        },
      },
    ],
  },
});
