import type { Interceptor } from '../interceptor.ts';
import { bodyFaults } from './body-faults.ts';
import { commitFaults } from './commit-faults.ts';
import { listFaults } from './list-faults.ts';
import { statusFaults } from './status-faults.ts';
import { transportFaults } from './transport-faults.ts';

/** Makes a mode's interceptor, told its detail. */
export type Mode = (detail: string | undefined) => Interceptor;

/** Every way a request can go wrong, by its name. */
export const modes: Readonly<Record<string, Mode>> = {
  ...transportFaults,
  ...statusFaults,
  ...bodyFaults,
  ...listFaults,
  ...commitFaults,
};
