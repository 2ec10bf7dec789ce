import type { StackContext } from './stack-context.ts';
import { acquireLock, type Lock } from '../state/lock.ts';

/** Takes the lock of a stack for a command, waiting for whoever holds it as many seconds as the person allows. */
export function takeLock(context: StackContext, path: string, command: string, seconds = 0): Promise<Lock> {
  return acquireLock(path, command, {
    patience: seconds * 1000,
    signal: context.io.signal,
    onWait: (holder) => context.log('info', `waiting for the lock of ${holder}`),
  });
}
