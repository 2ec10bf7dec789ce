import type { StackContext } from './stack-context.ts';
import type { Backend } from '../state/backend.ts';
import type { Lock, LockOptions } from '../state/lock.ts';

/** Takes the lock of a stack for a command, waiting for whoever holds it as many seconds as the person allows. */
export function takeLock(
  context: StackContext,
  backend: Backend,
  command: string,
  seconds?: number,
  isDestination = false,
): Promise<Lock> {
  return backend.acquireLock(`sluice ${command}`, {
    ...lockOptions(context, seconds),
    ...(isDestination ? { isDestination } : {}),
  });
}

/** How long to wait for a lock, and what to call while waiting. */
export function lockOptions(context: StackContext, seconds = 0): LockOptions {
  return {
    patience: seconds * 1000,
    signal: context.io.signal,
    onWait: (holder) => context.log('info', `waiting for the lock that ${holder} holds`),
  };
}
