import { metadata, required, setOf, text } from '../../kinds/fields.ts';
import { abuseReport, endpoint, tunnelSession } from '../../kinds/views.ts';
import type { Family } from '../family.ts';

/** The families that no manifest describes, with the calls they offer. */
export const viewFamilies: readonly Family[] = [
  {
    ...tunnelSession,
    operations: { list: 'described', get: 'described' },
    actions: ['restart', 'stop', 'update'],
    rules: [],
    unique: [],
  },
  { ...endpoint, operations: { list: 'described', get: 'described' }, rules: [], unique: [] },
  {
    ...abuseReport,
    fields: {
      ...abuseReport.fields,
      urls: required(
        setOf(text('A URL.'), 'URLs reported.', { order: 'sequence', atLeast: { count: 1, since: 'completed' } }),
      ),
      metadata: metadata(),
    },
    operations: { create: 'described', get: 'described' },
    rules: [],
    unique: [],
  },
];
