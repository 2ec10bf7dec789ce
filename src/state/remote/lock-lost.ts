import { LockHeld } from '../../diagnostics/errors.ts';

/** The error for a run whose lease another run has taken over. */
export function lockLost(): LockHeld {
  return new LockHeld('LOCK_LOST', 'another run has taken over the lock of this stack', {
    hint: 'wait for the other run to finish, then run the command again',
    hintInWatch: '',
  });
}
