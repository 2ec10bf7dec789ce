import { module, ref, required } from '../fields.ts';

/** What serves the requests. */
export const backend = module(
  'Sends the requests of the route to a backend.',
  { backend_id: required(ref('backend', 'Id of the backend that receives the requests.', { readAs: 'backend' })) },
  { upstream: true, path: { suffix: '/backend', since: 'completed' } },
);
