import type { Code } from './codes.ts';

/** Every code of an error that ends a command, or of what failed within one, with what it means. Codes are stable: they are part of the users' contract. */
export const failures = {
  // Input (exit 8)
  USAGE: 'The arguments of the command or call are invalid',
  INVALID_INPUT: 'The manifests or settings have errors',
  INVALID_API_KEY: 'The API key is empty or contains invalid characters',
  INVALID_BASE_URL: 'The URL of the service is invalid',
  INVALID_VENDOR: 'The vendor name cannot be part of a header',
  INVALID_PROXY: 'The URL of the proxy is invalid',
  INVALID_CA_FILE: 'The file of certificate authorities cannot be used',
  INVALID_STATE_URL: 'The URL of the state store is invalid',
  INVALID_PLATFORM_URL: 'The URL of the pull request platform is invalid',
  INVALID_TOKEN: 'The token of the pull request platform is empty or contains invalid characters',
  INVALID_FAULT: 'The fault to inject in the emulator is invalid',
  INVALID_PATH: 'The path of a request would be outside the API',
  STATE_PATH_IN_GIT: 'The state file is inside a .git directory',
  NOT_A_PLAN_FILE: 'The file is not a saved plan',
  PLAN_FILE_DAMAGED: 'The saved plan was edited or damaged',
  PLAN_FROM_SNAPSHOT: 'The plan was made from a snapshot of the account and cannot be applied',
  SNAPSHOT_DAMAGED: 'The snapshot file was edited or damaged',

  // What is asked for does not exist
  ABUSE_REPORT_NOT_FOUND: 'No abuse report has the id',
  ENDPOINT_NOT_FOUND: 'No active endpoint has the id',
  RESOURCE_NOT_FOUND: 'No live resource of the kind has the name or id',
  AMBIGUOUS_MATCH:
    'Several unmanaged resources match the manifest to import, or another manifest matches the same resource',
  SESSION_NOT_FOUND: 'No agent with the session is online',
  ID_NOT_FOUND: 'The account has no resource with the id',
  SECRET_NOT_SHOWN: 'The output is a secret, which sluice never prints',

  // Identity
  ADDRESS_IN_USE: 'The state has another resource at this address',
  ID_IN_USE:
    'The resource is already managed by this stack: under another address, or as a leftover that apply deletes',
  ID_OWNED_BY_OTHER_STACK: 'The ownership marker of the resource names another stack',
  ADDRESS_TAKEN: 'A rollback would give a renamed resource an address that now belongs to another resource',
  STACK_ID_IN_USE: 'The account has resources of a stack with the same id and another name',
  DUPLICATES:
    'Several resources have the ownership marker of one address, and the state contains none of these resources',

  // Planning and approval
  NO_RESOURCES_DEFINED: 'The manifests contain no resources, but the stack has resources',
  DEPENDENCY_CYCLE: 'The API requests of the plan depend on each other in a cycle',
  BLOCKED: 'Changes of the plan are blocked, so nothing was applied',
  PLAN_IS_STALE: 'The plan differs from the approved plan, or is not the latest plan',
  PLAN_NOT_APPROVABLE:
    'The plan cannot be approved by digest, because the digest would not cover everything that apply does',
  FROM_SNAPSHOT: 'The plan was made from a snapshot of the account, so it cannot be approved by digest',
  TARGETED: 'The plan covers only a part of the stack, so it cannot be approved by digest',
  UNVERIFIED_SECRETS:
    'It is unknown whether some secrets in the account match the manifests, so the plan cannot be approved by digest',
  VALUES_UNAVAILABLE: 'The plan uses values that are not available, so it cannot be approved by digest',
  UNRESOLVED_CREATIONS:
    'The outcome of a creation by an earlier run is unknown, so the plan cannot be approved by digest',
  NOT_REVIEWED: 'No approved pull request has the digest of the plan',
  HISTORY_NOT_AVAILABLE: 'git cannot tell whether the commit of the manifests is older than the commit applied last',
  NO_PULL_REQUEST: 'The pull request of the pipeline cannot be found or commented on',
  OUTDATED_COMMIT: 'The pull request has a newer head commit, so sluice does not replace its comment',
  PLATFORM_REFUSED: 'The platform of the pull request refused a request',
  SECRETS_NOT_VERIFIED:
    'It is unknown whether some secrets in the account match the manifests, and the plan was made with `requireVerifiedSecrets`',

  // The files of the stack
  CHECKOUT_MOVED: 'Another commit was checked out while the stack was read',
  SOURCE_MISSING: 'The directory of the stack, or its `sluice.yaml`, is missing',
  SOURCE_UNREADABLE: 'The directory of the stack, or its `sluice.yaml`, cannot be read',
  SOURCE_CHANGING: 'The files of the stack keep changing while they are read',
  UNCOMMITTED_CHANGES: 'The files of the stack differ from the checked-out commit',
  FILE_NOT_ACCESSIBLE: 'The operating system refuses to read or write a file',
  FILE_NOT_WRITTEN: 'A file cannot be written',

  // The service
  ACCESS_DENIED: 'The service does not accept the API key, or the key lacks a permission',
  API_REFUSED: 'The service refused a request',
  API_FAILED: 'The service failed to process a request (5xx)',
  REDIRECTED: 'The service returned a redirect, which sluice does not follow',
  AMBIGUOUS_RESPONSE: 'The service confirmed a write, but sluice cannot read the response',
  UNREADABLE_RESPONSE: 'sluice cannot read a response of the service',
  UNREADABLE_LIST_RESPONSE: 'sluice cannot read a page of a list of the service',
  UNEXPECTED_RESPONSE: 'The service returned a resource with invalid fields',
  TOO_MANY_ITEMS: 'A list of the service has more items than an account can have',
  OPERATION_NOT_SUPPORTED: 'The service does not support an operation of the API profile',
  CONNECTION_FAILED: 'The connection to the API failed or was interrupted',
  TLS_NOT_SPOKEN: 'The server does not speak TLS',
  CERTIFICATE_NOT_TRUSTED: 'No trusted authority has signed the certificate of the server',
  CERTIFICATE_WRONG_HOST: 'The certificate of the server is for another host',
  CERTIFICATE_EXPIRED: 'The certificate of the server has expired or is not valid yet',
  PROXY_FAILED: 'The proxy is not reachable, or cannot reach the host',
  PROXY_REFUSED: 'The proxy refused the connection',
  REQUEST_TIMEOUT: 'The service did not respond before the timeout',
  INTERRUPTED: 'The run was interrupted before the request was complete',
  INTERNAL_ERROR: 'A bug in sluice or in the service ended the run',

  // Applying
  CHANGE_FAILED: 'The change of the resource failed',
  NOT_FOUND: 'The resource no longer exists: it was deleted outside this run',
  ID_UNKNOWN: 'A change requires the id of a resource that was not created',
  FIELD_NOT_CLEARED: 'The service did not clear a field',
  LAST_HOSTPORT_REQUIRED: 'The service does not let an edge release its last hostport',
  EARLIER_ATTEMPT_LOST: 'The response to a write was lost, and the retry failed',
  OUTCOME_UNKNOWN: 'The outcome of a creation is unknown, and the service cannot report it',
  OUTCOME_NOT_VERIFIED: 'The outcome of a creation is unknown, because the check failed',
  READ_ONLY_COMMAND: 'A read-only command tried to send a write request',

  // The state
  STATE_LOST: 'The state is missing, or older than the last written state',
  STATE_DAMAGED: 'The state was edited or damaged',
  STATE_UNREADABLE: 'The file of the state cannot be read',
  STATE_NOT_WRITTEN: 'The state cannot be written',
  STATE_CHANGED: 'Another process changed the state during the run',
  STATE_CHANGING: 'Another process keeps changing the state while sluice reads it',
  STATE_ABSENT: 'There is no state to move',
  STATE_EXISTS: 'The target location already has another state',
  STATE_MOVED: 'The state was moved to another location',
  STATE_NOT_EMPTY: 'The state still has resources',
  STATE_ACCOUNT_MISMATCH: 'The state belongs to another account',
  STATE_STACK_MISMATCH: 'The state belongs to another stack',
  STATE_TOO_NEW: 'A newer version of sluice has written the state',
  NOT_A_STATE: 'The file at `state.path` is not a state',
  JOURNAL_DAMAGED: 'The journal of the state was edited or damaged',
  JOURNAL_MISMATCH: 'The journal belongs to another version of the state',
  JOURNAL_NOT_WRITTEN: 'A request was not sent, because sluice could not record it in the state first',

  // The lock
  LOCK_HELD: 'Another run has the lock of the state',
  LOCK_LOST: 'Another run has taken over the lock, so this run stopped',
  LOCK_NOT_ACQUIRED: 'The lock cannot be written',
  LOCK_UNREADABLE: 'The file of the lock cannot be read, so its holder is unknown',
  LOCK_REQUIRED: 'A program must hold the state lock to apply a plan',
  WRITE_HELD_BACK: 'A request was not sent, because sluice cannot confirm that it still holds the lock',
  LEASE_DAMAGED: 'The lock record in the store cannot be read',
  LEASE_OUTDATED: 'The lock record in the store is older than the state, for example after a backup was restored',

  // The state store
  STORE_ACCESS_DENIED: 'The state store does not accept the credentials',
  STORE_CANNOT_SWAP: 'The state store has no conditional writes, so it cannot be used as a lock',
  STORE_NOT_DURABLE: 'The state store may lose writes that it has confirmed',
  STORE_NOT_FOUND: 'The bucket or database of the state store does not exist',
  STORE_NOT_PREPARED: 'The database role lacks the permission to create the table for the state',
  STORE_READ_ONLY: 'The state store is read-only',
  STORE_REQUEST_REFUSED: 'The state store refused a request',
  STORE_UNAVAILABLE: 'The state store cannot be reached',

  // Watch
  WATCH_NOT_REACHABLE: 'No status page of a watch responds at the address',
  WATCH_PAUSED: 'The watch is paused, so it does not read the account',
  WATCH_STATE_UNREADABLE: 'The file in which a watch keeps approvals and retries cannot be read',
  OPERATOR_REQUESTS_UNREADABLE: 'The file of pauses and approvals cannot be read',
  NO_PENDING_APPROVAL: 'The watch has no changes that require an approval',
  PENDING_CHANGES_DIFFER: 'The digest is not the digest of the pending changes',

  // Agents
  NOT_RECONNECTED: 'The agent has not reconnected after its restart',
  VERSION_UNCHANGED: 'The agent reconnected with its old version',
  RESTART_NOT_SUPPORTED: 'The agent cannot be restarted remotely, for example because it runs on Windows',
  UPDATE_DISABLED: 'The agent does not accept remote updates',
  UPDATE_IN_PROGRESS: 'The agent is already being updated',
  UPDATE_NEEDS_RESTART: 'The agent is already updated, but runs its old version until it is restarted',
  UPDATE_NOT_AVAILABLE: 'No newer version of the agent is available within its major version',
} as const;

/** The code that an error carries: of a failure, or of the diagnostic that it reports. */
export type ErrorCode = keyof typeof failures | Code;
