import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';

const [area] = (process.env.MUTANTS ?? '').split(/[=/]/);
const globs = (text) => (text ?? '').split(',').filter((glob) => glob !== '');

// The first test that fails ends a mutant: the shortest go first.
class ShortestFirst extends BaseSequencer {
  async sort(files) {
    const duration = ({ project, moduleId }) =>
      this.ctx.cache.getFileTestResults(`${project.name}:${relative(this.ctx.config.root, moduleId)}`)?.duration ?? 0;
    return [...files].sort((a, b) => duration(a) - duration(b));
  }
}

/** The tests that try the mutants of an area: those of its folder, or MUTANTS_TESTS without MUTANTS_WITHOUT, globs with commas between them. */
export default defineConfig({
  test: {
    include: globs(process.env.MUTANTS_TESTS ?? `test/${area}/**/*.test.ts`),
    exclude: globs(process.env.MUTANTS_WITHOUT),
    testTimeout: 240_000,
    hookTimeout: 240_000,
    pool: 'forks',
    maxWorkers: 1,
    sequence: { sequencer: ShortestFirst },
  },
});
