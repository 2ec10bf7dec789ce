import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawn } from './drawn.mjs';

const { area, mutate, report } = drawn(process.env.MUTANTS);

/** StrykerJS: lines of one folder of src/, tried by the tests of the same folder, or by those that MUTANTS_TESTS names. */
export default {
  mutate,
  // Goldens hold every text; of a table or an expression, few mutants mean anything.
  mutator: { excludedMutations: ['ArrayDeclaration', 'ObjectLiteral', 'Regex', 'StringLiteral'] },
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'mutants/vitest.config.mjs', related: false },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  // What is built has no mutants: without it, its tests leave themselves out.
  ignorePatterns: ['.git', 'dist', 'site'],
  incremental: true,
  incrementalFile: `node_modules/.cache/mutants/${area.replaceAll('/', '-')}-known.json`,
  reporters: ['progress-append-only', 'json'],
  jsonReporter: { fileName: report },
  concurrency: Number(process.env.MUTANTS_AT_ONCE ?? 1),
  tempDirName: join(tmpdir(), `sluice-mutants-${process.pid}`),
  timeoutMS: 40_000,
  // All tests of a large folder, on a machine that has other work.
  dryRunTimeoutMinutes: 60,
};
