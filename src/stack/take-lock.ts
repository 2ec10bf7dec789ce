import type { StackContext } from './stack-context.ts';
import type { Backend } from '../state/backend.ts';
import type { Lock } from '../state/lock.ts';

/** Takes the lock of a stack for a command, waiting for whoever holds it as many seconds as the person allows. */
export function takeLock(context: StackContext, backend: Backend, command: string, seconds = 0): Promise<Lock> {
  return backend.acquireLock(`sluice ${command}`, {
    patience: seconds * 1000,
    signal: context.io.signal,
    onWait: (holder) => context.log('info', `waiting for the lock of ${holder}`),
  });
}
