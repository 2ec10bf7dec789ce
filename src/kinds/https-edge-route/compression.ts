import { module } from '../fields.ts';

/** Compressed responses. */
export const compression = module(
  'Compresses responses to clients that accept compression.',
  {},
  { path: { suffix: '/compression', since: 'completed' } },
);
