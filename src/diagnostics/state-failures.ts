import type { CodeMeaning } from './code-meaning.ts';

/** What ends a command, or fails within one: the state, its lock and store, a watch and agents. */
export const stateFailures = {
  // The state
  STATE_LOST: {
    meaning: 'The state is missing, or older than the last written state',
    remedy:
      'Restore the state from a backup, or run `sluice state rebuild`, which finds resources by their ownership markers.',
  },
  STATE_DAMAGED: {
    meaning: 'The state was edited or damaged',
    remedy: 'Restore the state from its backup, or run `sluice state rebuild`.',
  },
  STATE_UNREADABLE: {
    meaning: 'The file of the state cannot be read',
    remedy: 'Give the user that runs sluice permission to read and write the file.',
  },
  STATE_NOT_WRITTEN: {
    meaning: 'The state cannot be written',
    remedy:
      'Free space on the disk, or give the user that runs sluice permission to write; then run the command again. sluice finds created resources by their ownership markers.',
  },
  STATE_CHANGED: {
    meaning: 'Another process changed the state during the run',
    remedy: 'Run the command again: sluice detects the changes that were made.',
  },
  STATE_CHANGING: { meaning: 'The state changes while it is read', remedy: 'Run the command again.' },
  STATE_ABSENT: {
    meaning: 'There is no state to move',
    remedy: 'No action is required: the first apply creates the state.',
  },
  STATE_EXISTS: {
    meaning: 'The target location already has another state',
    remedy: 'Use a location without a state; `sluice state list` lists the state that `sluice.yaml` names.',
  },
  STATE_MOVED: {
    meaning: 'The state was moved to another location',
    remedy:
      'Set `state` in `sluice.yaml` to the new location, or move the state back: `sluice state push` moves it into a shared store, `sluice state pull` into files.',
  },
  STATE_NOT_EMPTY: {
    meaning: 'The state still has resources',
    remedy:
      'Run `sluice destroy` first. It keeps each resource that had `lifecycle: {on_remove: retain}` when it was last applied.',
  },
  STATE_ACCOUNT_MISMATCH: {
    meaning: 'The state belongs to another account',
    remedy:
      'To use the account of the state, set `api.base_url` back to its URL. To use the other account, set another `state.path`, or move the state file away if its account was only a trial.',
  },
  STATE_STACK_MISMATCH: {
    meaning: 'The state belongs to another stack',
    remedy:
      'Set `stack.id` back if it was changed by mistake. Otherwise set `state.path` to the state of this stack, or move the file away.',
  },
  STATE_TOO_NEW: {
    meaning: 'A newer version of sluice has written the state',
    remedy: 'Use that version of sluice, or a later one.',
  },
  NOT_A_STATE: {
    meaning: 'The file at `state.path` is not a state',
    remedy: 'Set `state.path` to the state of this stack, or move the file away.',
  },
  JOURNAL_DAMAGED: {
    meaning: 'The journal of the state was edited or damaged',
    remedy: 'Run `sluice state rebuild`, which finds resources by their ownership markers.',
  },
  JOURNAL_MISMATCH: {
    meaning: 'The journal belongs to another version of the state',
    remedy: 'Restore state and journal from the same backup, or run `sluice state rebuild`.',
  },
  JOURNAL_NOT_WRITTEN: {
    meaning: 'A request was not sent, because sluice could not record it in the state first',
    remedy:
      'Free space on the disk, or give the user that runs sluice permission to write; then run the command again.',
  },

  // The lock
  LOCK_HELD: {
    meaning: 'Another run has the lock of the state',
    remedy: 'Wait for the other run with `--lock-timeout`; if that run no longer exists, run `sluice state unlock`.',
  },
  LOCK_LOST: {
    meaning: 'Another run has taken over the lock, so this run stopped',
    remedy: 'Wait for the other run to finish, then run the command again.',
  },
  LOCK_NOT_ACQUIRED: {
    meaning: 'The lock cannot be written',
    remedy: 'Make sure that the state directory exists, is writable and has free space.',
  },
  LOCK_UNREADABLE: {
    meaning: 'The file of the lock cannot be read, so its holder is unknown',
    remedy: 'Correct the permissions of the file and its directory, or run the command as the user that owns them.',
  },
  LOCK_REQUIRED: {
    meaning: 'A program must hold the state lock to apply a plan',
    remedy: 'In the program that uses the library, open the stack with `writes: true`.',
  },
  WRITE_HELD_BACK: {
    meaning: 'A request was not sent, because sluice cannot confirm that it still holds the lock',
    remedy: 'Check the state store and the load of the machine, then run the command again.',
  },
  LEASE_DAMAGED: {
    meaning: 'The lock record in the store cannot be read',
    remedy: 'Make sure that no run is active, then run `sluice state unlock`.',
  },
  LEASE_OUTDATED: {
    meaning: 'The lock record in the store is older than the state, for example after a backup was restored',
    remedy: 'Make sure that no run is active, then run `sluice state unlock`.',
  },

  // The state store
  STORE_ACCESS_DENIED: {
    meaning: 'The state store does not accept the credentials',
    remedy: 'Check the credentials of the state store and their permissions.',
  },
  STORE_CANNOT_SWAP: {
    meaning: 'The state store has no conditional writes, so it cannot be used as a lock',
    remedy: 'Use another store; `sluice state probe` tests whether a store can be used as a lock.',
  },
  STORE_NOT_DURABLE: {
    meaning: 'The state store may lose writes that it has confirmed',
    remedy: 'Enable the database setting in the message, for the role or the database of the state.',
  },
  STORE_NOT_FOUND: {
    meaning: 'The bucket or database of the state store does not exist',
    remedy: 'Create the bucket or database, or correct the name.',
  },
  STORE_NOT_PREPARED: {
    meaning: 'The database role lacks the permission to create the table for the state',
    remedy: 'Run the statements in the hint as a role with that permission.',
  },
  STORE_READ_ONLY: {
    meaning: 'The state store is read-only',
    remedy: 'Use the URL of the primary database server, which accepts writes.',
  },
  STORE_REQUEST_REFUSED: {
    meaning: 'The state store refused a request',
    remedy: 'Check `bucket`, `region`, `endpoint` and `path_style` in `state.s3` of `sluice.yaml`.',
  },
  STORE_UNAVAILABLE: {
    meaning: 'The state store cannot be reached',
    remedy:
      'Run the command again once the store is available. sluice finds created resources by their ownership markers.',
  },

  // Watch
  WATCH_NOT_REACHABLE: {
    meaning: 'No status page of a watch responds at the address',
    remedy: 'Check that `sluice watch` runs, or pass the URL of its status page with `--url`.',
  },
  WATCH_PAUSED: {
    meaning: 'The watch is paused, so it refreshes nothing',
    remedy: 'Run `sluice resume`, or wait until the pause ends; then run the command again.',
  },
  WATCH_STATE_UNREADABLE: {
    meaning: 'The file in which a watch keeps approvals and retries cannot be read',
    remedy: 'Make the file readable for the user that runs `sluice watch`.',
  },
  OPERATOR_REQUESTS_UNREADABLE: {
    meaning: 'The file of pauses and approvals cannot be read',
    remedy: 'Make the file readable for the user that runs `sluice watch`.',
  },
  NO_PENDING_APPROVAL: {
    meaning: 'The watch has no changes that require an approval',
    remedy:
      'Check the status page: the changes may have been applied already, or a newer revision may require other changes.',
  },
  PENDING_CHANGES_DIFFER: {
    meaning: 'The digest is not the digest of the pending changes',
    remedy: 'Review the pending changes, then approve their digest.',
  },

  // Agents
  NOT_RECONNECTED: {
    meaning: 'The agent has not reconnected after its restart',
    remedy: 'Check the agent on its machine, or pass a longer `--timeout`.',
  },
  VERSION_UNCHANGED: {
    meaning: 'The agent reconnected with its old version',
    remedy: 'Check the log of the agent, then run the rollout again.',
  },
  RESTART_NOT_SUPPORTED: {
    meaning: 'The agent cannot be restarted remotely, for example because it runs on Windows',
    remedy: 'Restart the agent on its machine.',
  },
  UPDATE_DISABLED: {
    meaning: 'The agent does not accept remote updates',
    remedy:
      'Enable update checks in the configuration file of the agent and restart the agent, or update the agent on its machine.',
  },
  UPDATE_IN_PROGRESS: {
    meaning: 'The agent is being updated already',
    remedy: 'Wait ten seconds, then restart the agent with `sluice sessions restart`.',
  },
  UPDATE_NEEDS_RESTART: {
    meaning: 'The agent is updated already, and runs its old version until it is restarted',
    remedy: 'Restart the agent with `sluice sessions restart`.',
  },
  UPDATE_NOT_AVAILABLE: {
    meaning: 'No newer version of the agent is available within its major version',
    remedy: 'To change the major version, install the new version on the machine of the agent.',
  },
} as const satisfies Readonly<Record<string, CodeMeaning>>;
