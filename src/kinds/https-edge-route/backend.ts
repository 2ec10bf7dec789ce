import { module, ref, required } from '../fields.ts';

/** What serves the requests. */
export const backend = module(
  'Backend that serves the requests of the route.',
  { backend_id: required(ref('backend', 'Id of the backend.', { readAs: 'backend' })) },
  { upstream: true, path: { suffix: '/backend', since: 'completed' } },
);
