import type { CodeMeaning } from './code-meaning.ts';

/** What ends a command, or fails within one: input, plans, the service and what apply does. */
export const runFailures = {
  // Input (exit 8)
  USAGE: {
    meaning: 'The arguments of the command or call are invalid',
    remedy: 'Follow the hint; `--help` lists the arguments and flags of a command.',
  },
  INVALID_INPUT: {
    meaning: 'The manifests or settings have errors',
    remedy: 'Correct the listed errors; `sluice explain CODE` explains each error.',
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
    remedy: 'Set `api.vendor` to the vendor name in the headers of the service: letters, digits and hyphens only.',
  },
  INVALID_PROXY: {
    meaning: 'The URL of the proxy is invalid',
    remedy: 'Set the proxy to `http://host:port` or `https://host:port`.',
  },
  INVALID_CA_FILE: {
    meaning: 'The file of certificate authorities cannot be used',
    remedy: 'Set `api.ca_file` or `SLUICE_CA_FILE` to a PEM file with the certificate of the authority.',
  },
  INVALID_STATE_URL: {
    meaning: 'The URL of the state store is invalid',
    remedy: 'Correct the URL; percent-encode special characters of user and password.',
  },
  INVALID_PLATFORM_URL: {
    meaning: 'The URL of the pull request platform is invalid',
    remedy: 'Use an https URL that does not contain credentials.',
  },
  INVALID_TOKEN: {
    meaning: 'The token of the pull request platform is empty or contains invalid characters',
    remedy: 'Set the environment variable of the token to the token alone, without a line break.',
  },
  INVALID_FAULT: {
    meaning: 'The fault to inject in the emulator is invalid',
    remedy: 'Write the fault as `mode[=detail]@address`; the hint lists the modes.',
  },
  INVALID_PATH: {
    meaning: 'A request would go to a path outside the API',
    remedy: 'Report this error with the manifest: an id in the path has an invalid form.',
  },
  STATE_PATH_IN_GIT: {
    meaning: 'The state file is inside a .git directory',
    remedy: 'Set `state.path`, or `--file` of `sluice state push` and `sluice state pull`, to a file outside of .git.',
  },
  NOT_A_PLAN_FILE: {
    meaning: 'The file is not a saved plan',
    remedy: 'Pass a file written by `sluice plan --out FILE`.',
  },
  PLAN_FILE_DAMAGED: {
    meaning: 'The saved plan was edited or damaged',
    remedy: 'Run `sluice plan --out FILE` again.',
  },
  PLAN_FROM_SNAPSHOT: {
    meaning: 'The plan was made from a snapshot of the account and cannot be applied',
    remedy: 'Run `sluice plan --out FILE` with access to the account.',
  },
  SNAPSHOT_DAMAGED: {
    meaning: 'The snapshot file was edited or damaged',
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
    remedy: 'Run `sluice get KIND` to list all live resources of the kind.',
  },
  AMBIGUOUS_MATCH: {
    meaning: 'Several unmanaged resources match the manifest to import, or another manifest matches the same resource',
    remedy: 'Import the resource that you mean with `sluice import KIND/NAME ID`.',
  },
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
    remedy: 'Look up the secret where the manifest takes it from, such as an environment variable or a file.',
  },

  // Identity
  ADDRESS_IN_USE: {
    meaning: 'The state has another resource at this address',
    remedy: 'Add a separate manifest for the resource to import.',
  },
  ID_IN_USE: {
    meaning: 'The resource is already managed under another address of this stack',
    remedy:
      'Use the address under which the resource is managed; `sluice state list` shows it. To rename the resource, set `lifecycle.moved_from`.',
  },
  ID_OWNED_BY_OTHER_STACK: {
    meaning: 'The ownership marker of the resource names another stack',
    remedy: 'Adopt the resource with `lifecycle.adopt` and `adopt_from`, or leave the resource in the other stack.',
  },
  ADDRESS_TAKEN: {
    meaning: 'A rollback would give a renamed resource an address that another resource has by now',
    remedy: 'Change the manifests instead; `lifecycle.moved_from` renames a resource and keeps its id.',
  },
  STACK_ID_IN_USE: {
    meaning: 'The account has resources of a stack with the same id and another name',
    remedy:
      'If this stack is a copy, run `sluice init --new-id`; if this stack was renamed, run `sluice apply --rename-from NAME` first, with its old name.',
  },
  DUPLICATES: {
    meaning:
      'Several resources have the ownership marker of one address, and the state contains none of these resources',
    remedy: 'Adopt one resource for each address with `lifecycle.adopt`, or pass `--keep-oldest`.',
  },

  // Planning and approval
  NO_RESOURCES_DEFINED: {
    meaning: 'The manifests contain no resources, but the stack has resources',
    remedy: 'Restore the manifests; to delete everything, run `sluice destroy` or pass `--allow-empty`.',
  },
  DEPENDENCY_CYCLE: {
    meaning: 'The API requests of the plan form a dependency cycle',
    remedy: 'Split the change into two applies, and report the error with the manifests.',
  },
  BLOCKED: {
    meaning: 'Changes of the plan are blocked, so nothing was applied',
    remedy: 'Read the reason of each blocked change; `sluice explain CODE` explains the code.',
  },
  PLAN_IS_STALE: {
    meaning: 'The plan differs from the approved plan, or is not the latest plan',
    remedy: 'Plan again, and have the new plan approved.',
  },
  PLAN_NOT_APPROVABLE: {
    meaning: 'The plan cannot be approved by digest, because the digest would not cover everything that apply does',
    remedy: 'Correct what the message lists, then plan again.',
  },
  FROM_SNAPSHOT: {
    meaning: 'The plan was made from a snapshot of the account, so it cannot be approved by digest',
    remedy: 'Plan with access to the account.',
  },
  TARGETED: {
    meaning: 'The plan covers only a part of the stack, so it cannot be approved by digest',
    remedy: 'Plan without `--target`, `-l` and `-f`.',
  },
  UNVERIFIED_SECRETS: {
    meaning: 'The plan has secrets that cannot be verified, so it cannot be approved by digest',
    remedy: 'Keep the state between runs, or pass `--resend-secrets`.',
  },
  VALUES_UNAVAILABLE: {
    meaning: 'The plan uses values that are not available, so it cannot be approved by digest',
    remedy: 'Provide the environment variables and files that the plan lists, then plan again.',
  },
  UNRESOLVED_CREATIONS: {
    meaning: 'The outcome of a creation by an earlier run is unknown, so the plan cannot be approved by digest',
    remedy:
      'Run `sluice state resolve ADDRESS` with `--id ID` if the resource exists, or with `--absent` if it does not.',
  },
  NOT_REVIEWED: {
    meaning: 'No approved pull request has the digest of the plan',
    remedy: 'Publish the plan with `sluice publish-digest`, have the pull request approved, then merge.',
  },
  NO_PULL_REQUEST: {
    meaning: 'The pull request of the pipeline cannot be found or commented on',
    remedy: 'Run the command in the pipeline of a pull request, or set the variables and flags that the hint names.',
  },
  PLATFORM_REFUSED: {
    meaning: 'The platform of the pull request refused a request',
    remedy: 'Check the token and its permissions.',
  },
  SECRETS_NOT_VERIFIED: {
    meaning: 'The plan has secrets that cannot be verified, but the call requires verified secrets',
    remedy: 'Keep the state between runs, or plan with `resendSecrets: true`.',
  },

  // The files of the stack
  CHECKOUT_MOVED: {
    meaning: 'Another commit was checked out while the stack was read',
    remedy: 'Run the command again.',
  },
  SOURCE_MISSING: {
    meaning: 'The directory of the stack, or its `sluice.yaml`, is missing',
    remedy: 'Restore the directory or file. sluice deletes no resources because of a missing directory or file.',
  },
  SOURCE_UNREADABLE: {
    meaning: 'The directory of the stack, or its `sluice.yaml`, cannot be read',
    remedy: 'Give the user that runs sluice permission to read the directory.',
  },
  SOURCE_CHANGING: {
    meaning: 'The files of the stack keep changing while they are read',
    remedy: 'Stop the process that keeps writing to the files, then run the command again.',
  },
  UNCOMMITTED_CHANGES: {
    meaning: 'The files of the stack differ from the checked-out commit',
    remedy: 'Commit the changes, or revert them.',
  },
  FILE_NOT_ACCESSIBLE: {
    meaning: 'The operating system refuses to read or write a file',
    remedy:
      'Free space on the disk, or give the user that runs sluice permission to read and write the file; then run the command again.',
  },
  FILE_NOT_WRITTEN: {
    meaning: 'A file cannot be written',
    remedy:
      'Free space on the disk, or give the user that runs sluice permission to write; then run the command again.',
  },

  // The service
  ACCESS_DENIED: {
    meaning: 'The service does not accept the API key, or the key lacks a permission',
    remedy: 'Check the API key and its permissions.',
  },
  API_REFUSED: {
    meaning: 'The service refused a request',
    remedy:
      'Correct the problem in the message. After a status 429 (too many requests), run the command again later, or set `api.rate_limit`.',
  },
  API_FAILED: {
    meaning: 'The service failed to process a request (5xx)',
    remedy: 'Run the command again later.',
  },
  REDIRECTED: {
    meaning: 'The service returned a redirect, which sluice does not follow',
    remedy: 'Set `api.base_url` to the URL of the service itself.',
  },
  AMBIGUOUS_RESPONSE: {
    meaning: 'The service confirmed a write, but sluice cannot read the response',
    remedy: 'Run `sluice apply` again: sluice detects the changes that were made.',
  },
  UNREADABLE_RESPONSE: {
    meaning: 'sluice cannot read a response of the service',
    remedy: 'Check that `api.base_url` is the URL of the service, and that no proxy changes the responses.',
  },
  UNREADABLE_LIST_RESPONSE: {
    meaning: 'sluice cannot read a page of a list of the service',
    remedy: 'Check that `api.base_url` is the URL of the service, and that no proxy changes the responses.',
  },
  UNEXPECTED_RESPONSE: {
    meaning: 'The service returned a resource with invalid fields',
    remedy: 'Check `api.base_url` and `api.profile`.',
  },
  TOO_MANY_ITEMS: {
    meaning: 'A list of the service has more items than an account can have',
    remedy: 'Check that `api.base_url` is the URL of the service itself.',
  },
  OPERATION_NOT_SUPPORTED: {
    meaning: 'The service does not support an operation of the API profile',
    remedy: 'Set `api.profile: documented` if the service offers only the documented operations.',
  },
  CONNECTION_FAILED: {
    meaning: 'The connection to the API failed or was interrupted',
    remedy: 'Check the network and `api.base_url`, then run the command again.',
  },
  TLS_NOT_SPOKEN: {
    meaning: 'The server does not speak TLS',
    remedy: 'Check the scheme (http or https) and the port of the URL.',
  },
  CERTIFICATE_NOT_TRUSTED: {
    meaning: 'No trusted authority has signed the certificate of the server',
    remedy: 'Pass the certificate of the certificate authority with `--ca-file`.',
  },
  CERTIFICATE_WRONG_HOST: {
    meaning: 'The certificate of the server is for another host',
    remedy: 'Check the host in the URL, or install a certificate for this host on the server.',
  },
  CERTIFICATE_EXPIRED: {
    meaning: 'The certificate of the server has expired or is not valid yet',
    remedy: 'Check the clock of this machine, and the certificate of the server.',
  },
  PROXY_FAILED: {
    meaning: 'The proxy is not reachable, or cannot reach the host',
    remedy: 'Check the proxy, or add the host of the service to `NO_PROXY` to connect directly.',
  },
  PROXY_REFUSED: {
    meaning: 'The proxy refused the connection',
    remedy: 'Check user and password in the URL of the proxy, and which hosts the proxy allows.',
  },
  REQUEST_TIMEOUT: {
    meaning: 'The service did not respond before the timeout',
    remedy: 'Run the command again: sluice detects the changes that were made.',
  },
  INTERRUPTED: {
    meaning: 'The run was interrupted before the request was complete',
    remedy: 'Run the command again: sluice detects the changes that were made.',
  },
  INTERNAL_ERROR: {
    meaning: 'A bug in sluice or in the service ended the run',
    remedy: 'Run the command again; if the error persists, report it with the output of `--log-level debug`.',
  },

  // Applying
  CHANGE_FAILED: { meaning: 'The change failed', remedy: 'Follow the message and the hint of the change.' },
  NOT_FOUND: {
    meaning: 'The resource no longer exists: it was deleted outside this run',
    remedy: 'Run `sluice plan` again.',
  },
  ID_UNKNOWN: {
    meaning: 'A change requires the id of a resource that was not created',
    remedy: 'Correct the failure of the other resource, then run `sluice apply` again.',
  },
  FIELD_NOT_CLEARED: {
    meaning: 'The service did not clear a field',
    remedy: 'Set a value for the field in the manifest.',
  },
  LAST_HOSTPORT_REQUIRED: {
    meaning: 'The service does not let an edge release its last hostport',
    remedy: 'Delete the edge; or apply a temporary hostport on the edge first, then move the hostport.',
  },
  EARLIER_ATTEMPT_LOST: {
    meaning: 'The response to a write was lost, and the retry failed',
    remedy: 'Run `sluice apply` again: sluice detects the changes that were made.',
  },
  OUTCOME_UNKNOWN: {
    meaning: 'The outcome of a creation is unknown, and the service cannot report it',
    remedy:
      'Check in the service whether the resource exists, then run `sluice state resolve ADDRESS` with `--id ID` if it exists, or with `--absent` if it does not.',
  },
  OUTCOME_NOT_VERIFIED: {
    meaning: 'The outcome of a creation is unknown, because the check failed',
    remedy: 'Run `sluice apply` again: sluice first checks whether the resource exists.',
  },
  READ_ONLY_COMMAND: {
    meaning: 'A read-only command tried to send a write request',
    remedy: 'Report this bug in sluice. Nothing was changed.',
  },
} as const satisfies Readonly<Record<string, CodeMeaning>>;
