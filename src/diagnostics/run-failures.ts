import type { CodeMeaning } from './code-meaning.ts';

/** What ends a command, or fails within one: input, plans, the service and what apply does. */
export const runFailures = {
  // Input (exit 8)
  USAGE: {
    meaning: 'The command or call cannot be carried out as it was given',
    remedy: 'Do what the hint says; `--help` lists the arguments and flags of a command.',
  },
  INVALID_INPUT: {
    meaning: 'The manifests or settings have errors',
    remedy: 'Correct the errors that are listed; `sluice explain CODE` explains each.',
  },
  INVALID_API_KEY: {
    meaning: 'The API key is empty or contains invalid characters',
    remedy: 'Set `SLUICE_API_KEY` to the key alone, without a line break.',
  },
  INVALID_BASE_URL: {
    meaning: 'The URL of the service is invalid',
    remedy: 'Set `api.base_url`, such as `https://api.example.com`.',
  },
  INVALID_VENDOR: {
    meaning: 'The vendor name cannot be part of a header',
    remedy: 'Set `api.vendor` to letters, digits and hyphens.',
  },
  INVALID_PROXY: {
    meaning: 'The URL of the proxy is invalid',
    remedy: 'Set it to `http://host:port` or `https://host:port`.',
  },
  INVALID_CA_FILE: {
    meaning: 'The file of certificate authorities cannot be used',
    remedy: 'Set it to a PEM file with the certificate of the authority.',
  },
  INVALID_STATE_URL: {
    meaning: 'The URL of the state store is invalid',
    remedy: 'Correct the URL; percent-encode special characters of user and password.',
  },
  INVALID_PLATFORM_URL: {
    meaning: 'The URL of the pull request platform is invalid',
    remedy: 'Use an https URL without credentials.',
  },
  INVALID_TOKEN: {
    meaning: 'The token of the platform is empty or contains invalid characters',
    remedy: 'Set the variable to the token alone, without a line break.',
  },
  INVALID_FAULT: {
    meaning: 'The fault that the emulator is to inject is invalid',
    remedy: 'Write `mode[=detail]@address`; the hint lists the modes.',
  },
  INVALID_PATH: {
    meaning: 'A request would go to a path outside the API',
    remedy: 'Report it with the manifest: an id is not what the service makes.',
  },
  STATE_PATH_IN_GIT: {
    meaning: '`state.path` is inside a .git directory',
    remedy: 'Set `state.path` to a file outside of .git.',
  },
  NOT_A_PLAN_FILE: {
    meaning: 'The file is not a saved plan',
    remedy: 'Pass a file that `sluice plan --out FILE` has written.',
  },
  PLAN_FILE_DAMAGED: {
    meaning: 'The saved plan is not as sluice has written it',
    remedy: 'Run `sluice plan --out FILE` again.',
  },
  PLAN_FROM_SNAPSHOT: {
    meaning: 'The plan was made from a snapshot and cannot be applied',
    remedy: 'Run `sluice plan --out FILE` with access to the account.',
  },
  SNAPSHOT_DAMAGED: {
    meaning: 'The snapshot is not as sluice has written it',
    remedy: 'Run `sluice snapshot` again.',
  },

  // What is asked for does not exist
  ABUSE_REPORT_NOT_FOUND: {
    meaning: 'No abuse report has the id',
    remedy: 'Check the id; reports cannot be listed.',
  },
  ENDPOINT_NOT_FOUND: {
    meaning: 'No active endpoint has the id',
    remedy: 'Run `sluice endpoints list`.',
  },
  RESOURCE_NOT_FOUND: {
    meaning: 'No live resource of the kind has the name or id',
    remedy: 'Run `sluice get KIND` to list all of them.',
  },
  RUN_NOT_FOUND: { meaning: 'No recorded run has the id', remedy: 'Run `sluice history` to list the runs.' },
  SESSION_NOT_FOUND: {
    meaning: 'No agent with the session is online',
    remedy: 'Run `sluice sessions list`: a restarted agent has a new session.',
  },
  ID_NOT_FOUND: {
    meaning: 'The account has no resource with the id',
    remedy: 'Run `sluice get KIND` to list live resources.',
  },
  SECRET_NOT_SHOWN: {
    meaning: 'The output is a secret, which sluice never prints',
    remedy: 'Take it from where the manifest takes it.',
  },

  // Identity
  ADDRESS_IN_USE: {
    meaning: 'The address already manages another resource',
    remedy: 'Add a separate manifest for the resource to import.',
  },
  ID_IN_USE: {
    meaning: 'The resource is already managed under another address of this stack',
    remedy: 'Use that address; `sluice state list` shows it. To change it, set `lifecycle.moved_from`.',
  },
  ID_OWNED_BY_OTHER_STACK: {
    meaning: 'The resource belongs to another stack, as its ownership marker says',
    remedy: 'Adopt it with `lifecycle.adopt` and `adopt_from`, or leave it to that stack.',
  },
  STACK_ID_IN_USE: {
    meaning: 'The account has resources of a stack with the same id and another name',
    remedy: 'Run `sluice init --new-id` in a copy; pass `--rename-from NAME` if the stack was renamed.',
  },
  DUPLICATES: {
    meaning: 'Several resources carry the ownership marker of one address, and state records none of them',
    remedy: 'Adopt one of each with `lifecycle.adopt`, or pass `--keep-oldest`.',
  },

  // Planning and approval
  NO_RESOURCES_DEFINED: {
    meaning: 'The manifests contain no resources, and the stack has some',
    remedy: 'Restore the manifests; to delete everything, run `sluice destroy` or pass `--allow-empty`.',
  },
  DEPENDENCY_CYCLE: {
    meaning: 'The requests of the plan depend on each other in a cycle',
    remedy: 'Make the change in two steps, each with a plan of its own, and report it with the manifests.',
  },
  BLOCKED: {
    meaning: 'Changes of the plan are blocked, so nothing was applied',
    remedy: 'See the reason of each change; `sluice explain` explains its code.',
  },
  PLAN_IS_STALE: {
    meaning: 'The plan is not the one that was approved, or not the latest',
    remedy: 'Plan again, and have the new plan approved.',
  },
  PLAN_NOT_APPROVABLE: {
    meaning: 'No digest can approve the plan, as it would not cover everything that apply does',
    remedy: 'Remove the reasons that the message names, then plan again.',
  },
  FROM_SNAPSHOT: {
    meaning: 'The plan was made from a snapshot, so no digest approves it',
    remedy: 'Plan with access to the account.',
  },
  TARGETED: {
    meaning: 'The plan covers only a part of the stack, so no digest approves it',
    remedy: 'Plan without `--target`, `-l` and `-f`.',
  },
  UNVERIFIED_SECRETS: {
    meaning: 'The plan has secrets that cannot be verified, so no digest approves it',
    remedy: 'Keep the state between runs, or pass `--resend-secrets`.',
  },
  VALUES_UNAVAILABLE: {
    meaning: 'The plan has values that are not available here, so no digest approves it',
    remedy: 'Set the variables and files that the plan lists, then plan again.',
  },
  UNRESOLVED_CREATIONS: {
    meaning: 'Whether an earlier run has created something is not known, so no digest approves the plan',
    remedy: 'Run `sluice state resolve ADDRESS --id ID` or `--absent`.',
  },
  NOT_REVIEWED: {
    meaning: 'No approved pull request has the digest of the plan',
    remedy: 'Publish the plan with `sluice publish-digest`, have it approved, then merge.',
  },
  NO_PULL_REQUEST: {
    meaning: 'The pull request of the pipeline cannot be found or commented on',
    remedy: 'Do what the hint says.',
  },
  PLATFORM_REFUSED: {
    meaning: 'The platform of the pull request refused a request',
    remedy: 'Check the token and its permissions.',
  },
  SECRETS_NOT_VERIFIED: {
    meaning: 'The plan has secrets that cannot be verified, and the call requires that it has none',
    remedy: 'Keep the state between runs, or plan with `resendSecrets: true`.',
  },

  // The files of the stack
  CHECKOUT_MOVED: {
    meaning: 'Another commit was checked out while the stack was read',
    remedy: 'Run the command again.',
  },
  SOURCE_MISSING: {
    meaning: 'The directory of the stack, or its `sluice.yaml`, is missing',
    remedy: 'Restore it. Nothing is deleted because files are missing.',
  },
  SOURCE_UNREADABLE: {
    meaning: 'The directory of the stack, or its `sluice.yaml`, cannot be read',
    remedy: 'Give the user of sluice permission to read it.',
  },
  SOURCE_CHANGING: {
    meaning: 'The files of the stack keep changing while they are read',
    remedy: 'Find the process that keeps writing to them.',
  },
  UNCOMMITTED_CHANGES: {
    meaning: 'The files of the stack are not those of the commit that is checked out',
    remedy: 'Commit the changes, or revert them.',
  },
  FILE_NOT_ACCESSIBLE: {
    meaning: 'The operating system does not let a file be read or written',
    remedy: 'Free space on the disk, or give the user of sluice permission; then run the command again.',
  },
  FILE_NOT_WRITTEN: {
    meaning: 'A file cannot be written',
    remedy: 'Free space on the disk, or give the user of sluice permission to write; then run the command again.',
  },

  // The service
  ACCESS_DENIED: {
    meaning: 'The service does not accept the API key, or the key lacks a permission',
    remedy: 'Check the API key, and what it is allowed to do.',
  },
  API_REFUSED: {
    meaning: 'The service refused a request',
    remedy: 'Correct what the answer names; after a 429, try again later or set `api.rate_limit`.',
  },
  API_FAILED: {
    meaning: 'The service failed to carry out a request (5xx)',
    remedy: 'Run the command again later.',
  },
  REDIRECTED: {
    meaning: 'The service answered with a redirect, which sluice does not follow',
    remedy: 'Set `api.base_url` to the URL of the service itself.',
  },
  AMBIGUOUS_RESPONSE: {
    meaning: 'A write was answered with success, but the answer cannot be read',
    remedy: 'Run `sluice apply` again: it finds what was done.',
  },
  UNREADABLE_RESPONSE: {
    meaning: 'The answer of the service cannot be read',
    remedy: 'Check that `api.base_url` names the service, and that no proxy changes its answers.',
  },
  UNREADABLE_LIST_RESPONSE: {
    meaning: 'A page of a list of the service cannot be read',
    remedy: 'Check that `api.base_url` names the service, and that no proxy changes its answers.',
  },
  UNEXPECTED_RESPONSE: {
    meaning: 'The service returned a resource that does not have the form of its kind',
    remedy: 'Check `api.base_url` and `api.profile`.',
  },
  TOO_MANY_ITEMS: {
    meaning: 'A list of the service has more items than an account can have',
    remedy: 'Check that `api.base_url` names the service itself.',
  },
  OPERATION_NOT_SUPPORTED: {
    meaning: 'The service does not support an operation of the API profile',
    remedy: 'Set `api.profile: documented` if the service offers only what its description contains.',
  },
  CONNECTION_FAILED: {
    meaning: 'There is no connection to the service, or it was cut off',
    remedy: 'Check the network and `api.base_url`, then run the command again.',
  },
  TLS_NOT_SPOKEN: {
    meaning: 'The server does not speak TLS',
    remedy: 'Check scheme and port of the URL.',
  },
  CERTIFICATE_NOT_TRUSTED: {
    meaning: 'No trusted authority has signed the certificate of the server',
    remedy: 'Pass the certificate of its authority with `--ca-file`.',
  },
  CERTIFICATE_WRONG_HOST: {
    meaning: 'The certificate of the server is for another host',
    remedy: 'Check the host of the URL.',
  },
  CERTIFICATE_EXPIRED: {
    meaning: 'The certificate of the server has expired or is not valid yet',
    remedy: 'Check the clock of this machine, and the certificate of the server.',
  },
  PROXY_FAILED: {
    meaning: 'The proxy is not reachable, or cannot reach the host',
    remedy: 'Check the proxy, or list the host in `NO_PROXY`.',
  },
  PROXY_REFUSED: {
    meaning: 'The proxy refused the connection',
    remedy: 'Check user and password in the URL of the proxy, and which hosts it allows.',
  },
  REQUEST_TIMEOUT: {
    meaning: 'The service did not answer in time',
    remedy: 'Run the command again: it finds what was done.',
  },
  INTERRUPTED: {
    meaning: 'The run was interrupted before the request was complete',
    remedy: 'Run the command again: it finds what was done.',
  },
  INTERNAL_ERROR: {
    meaning: 'A defect of sluice, or of the service, has ended the run',
    remedy: 'Run the command again; if it fails again, report it with `--log-level debug`.',
  },

  // Applying
  CHANGE_FAILED: { meaning: 'The change failed', remedy: 'Do what its message says.' },
  NOT_FOUND: {
    meaning: 'The resource no longer exists: it was deleted outside this run',
    remedy: 'Run `sluice plan` again.',
  },
  ID_UNKNOWN: {
    meaning: 'A change requires the id of a resource that was not created',
    remedy: 'See why that resource failed, then run `sluice apply` again.',
  },
  FIELD_NOT_CLEARED: {
    meaning: 'The service keeps the value of a field that was to be cleared',
    remedy: 'Write a value for it in the manifest.',
  },
  LAST_HOSTPORT_REQUIRED: {
    meaning: 'The service does not let an edge release its last hostport',
    remedy: 'Delete the edge, or move the hostport in two applies with another one in between.',
  },
  EARLIER_ATTEMPT_LOST: {
    meaning: 'The answer to a write was lost, and its repetition failed',
    remedy: 'Run `sluice apply` again: it finds what was done.',
  },
  OUTCOME_UNKNOWN: {
    meaning: 'Whether a resource was created is not known, and the service cannot report it',
    remedy: 'Look for it in the service, then run `sluice state resolve ADDRESS --id ID` or `--absent`.',
  },
  OUTCOME_NOT_VERIFIED: {
    meaning: 'Whether a resource was created is not known, as the look-up failed',
    remedy: 'Run `sluice apply` again: it looks once more before it creates anything.',
  },
  READ_ONLY_COMMAND: {
    meaning: 'A command that only reads was about to write, and was stopped',
    remedy: 'Report it: this is a defect of sluice. Nothing was changed.',
  },
} as const satisfies Readonly<Record<string, CodeMeaning>>;
