import { module } from '../fields.ts';

/** Compressed responses. */
export const compression = module(
  'Compresses responses.',
  {},
  { path: { suffix: '/compression', since: 'completed' } },
);
