import fc from 'fast-check';

// The same cases in every run, so that a red build is about its change. `SEED=random RUNS=1000` goes looking for more.
const seed = process.env['SEED'] ?? '20261121';
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });
