import { renewalKeys } from './check-renewal.ts';

/** The keys of the lifecycle block of every kind. */
export const commonLifecycleKeys: readonly string[] = [
  'protect',
  'on_remove',
  'ignore',
  'adopt',
  'adopt_from',
  'moved_from',
];

/** The keys of a lifecycle block, of one kind or another. */
export const lifecycleKeys: readonly string[] = [...commonLifecycleKeys, ...renewalKeys];
