import type { Address } from '../../src/model/address.ts';
import type { RunningApply } from '../../src/model/status/watch-status.ts';

/** The changes of an apply that run now. */
export function runningIn(applying: RunningApply | undefined): readonly Address[] {
  return (applying?.changes ?? []).flatMap(({ address, progress }) => (progress === 'running' ? [address] : []));
}
