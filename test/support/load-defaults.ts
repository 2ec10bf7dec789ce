import { kinds } from '../../src/kinds/index.ts';
import type { LoadOptions } from '../../src/manifest/load.ts';
import { makeVariables } from '../../src/manifest/variables/variables.ts';

const credentials = { apiKeys: [], others: [] };

/** How manifests are loaded where a test says nothing else: as a whole stack, and without anything beside them. */
export const loadDefaults: Omit<LoadOptions, 'dir' | 'inputs'> = {
  kinds,
  profile: 'completed',
  patches: [],
  env: {},
  variables: makeVariables(new Map(), credentials),
  findStack: () => ({ code: 'OUTPUT_NOT_ALLOWED', message: 'there are no other stacks' }),
  credentials,
  roots: [],
  marker: true,
  whole: true,
};
