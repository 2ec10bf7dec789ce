import type { ErrorCode } from './failure-codes.ts';

/** What a code means, and what to do about it. */
export interface CodeMeaning {
  readonly meaning: string;
  readonly remedy: string;
}

const remedies: Readonly<Record<ErrorCode, string>> = {
  UNKNOWN_FIELD: 'Correct the name of the field; `sluice explain KIND` lists the fields of a kind.',
  INVALID_TYPE: 'Write a value of the type in the message.',
  MISSING_FIELD: 'Add the missing field to the manifest.',
  INVALID_VALUE: 'Use one of the values that the message lists.',
  OUT_OF_RANGE: 'Use a number within the range in the message.',
  TOO_LONG: 'Shorten the string to the length in the message.',
  TOO_FEW_ITEMS: 'Add items to the list, or remove the field.',
  EMPTY_VALUE: 'Write a value that is not empty, or remove the field.',
  DUPLICATE_ITEM: 'Remove one of the two equal items from the list.',
  READ_ONLY_FIELD: 'Remove the field from the manifest; `sluice output` shows its value.',
  INVALID_FORMAT: 'Write the string in the format that the message shows.',
  ID_OF_OTHER_KIND: 'Use the id of a resource of the type in the message, or a reference `{ref: NAME}`.',
  INVALID_HOSTPORT: 'Write `host:port`, such as `shop.example.com:443`.',
  INVALID_MATCH: 'Write a path such as `/cart`, or a host with a path.',
  INVALID_REGEX: 'Correct the regular expression.',
  INVALID_HEADER: 'Correct the name or value of the header.',
  DUPLICATE_HEADER: 'Keep the header only once in the list.',
  INVALID_CA_CERTIFICATE: 'Use the certificate of a CA in PEM format, without its private key.',
  INVALID_PUBLIC_KEY: 'Use the content of a `.pub` file of OpenSSH.',
  INVALID_VALIDITY_PERIOD:
    'Set an end that is later than the start, or use `lifecycle.valid_for` instead of two times.',
  UNKNOWN_VALUE: 'Check the spelling of the value. If the service accepts the value, ignore the warning.',
  UNUSUAL_VALUE: 'Change the value as the hint of the warning describes, or ignore the warning.',
  REFERENCE_IN_TEXT: 'Write the reference as the whole value of the field, without quotes.',
  INVALID_XML: 'Use the SAML metadata file of the identity provider, without edits.',
  INVALID_POLICY_DOCUMENT: 'Correct the traffic policy so that it is valid JSON or YAML.',
  REQUIRES_OTHER_FIELD: 'Set the required field as well, or remove the field that requires it.',
  EXACTLY_ONE_REQUIRED: 'Set exactly one of the fields that the message lists.',
  CONFLICTING_MODULES: 'Remove one of the two modules, or disable one with `enabled: false`.',
  MIN_VERSION_WITH_UPSTREAM_TLS: 'Remove the minimum version, or terminate TLS at the edge.',
  UNSUPPORTED_WITH_UPSTREAM_TLS: 'Remove the module, or terminate TLS at the edge.',
  MISSING_WEBHOOK_SECRET: 'Set `secret`, for example with `{from_env: NAME}`.',
  ACCESS_RULE_BROKEN: 'Add the access control that the rule requires, or add an exception to the rule.',
  ACCESS_RULE_NOT_PROVEN:
    'Add the resources or values in the message to the manifests, or run `sluice plan`, which reads the account.',
  ACCESS_EXCEPTION_ENDS:
    'Add the access control that the rule requires and remove the exception, or set a later date in `until`.',
  SYNTAX_ERROR: 'Correct the YAML at the reported line and column.',
  UNSUPPORTED_YAML_TAG: 'Remove the YAML tag, such as `!name`, and write the value itself.',
  DUPLICATE_KEY: 'Remove one of the two entries with the same key.',
  NON_STRING_KEY: 'Put the key in quotes.',
  FORBIDDEN_KEY: 'Rename or remove the key. Instead of a merge key (`<<`), write the merged fields again.',
  UNSAFE_NUMBER: 'If the field is a string, put the number in quotes; otherwise use a finite number with fewer digits.',
  INVALID_TEXT: 'Save the file as UTF-8 without control characters.',
  RECURSIVE_ALIAS: 'Replace the YAML alias with the value itself.',
  NOT_FORMATTED: 'Write multi-line text as a block (`|`), and comments on separate lines; then run `sluice fmt` again.',
  TOO_LARGE: 'Split the file into several files, or use smaller values.',
  TOO_DEEP: 'Use fewer levels of mappings and lists.',
  TOO_MANY_ALIASES: 'Replace YAML aliases with the values themselves, and remove anchors and tags.',
  TOO_MANY_ERRORS: 'Correct the listed problems, then run the command again to list the others.',
  FILE_NOT_FOUND: 'Correct the path in the message. In a manifest, paths are relative to the file of the manifest.',
  FILE_UNREADABLE: 'Give the user that runs sluice permission to read the file in the message.',
  NOT_A_REGULAR_FILE: 'Use a regular file, or `-` for standard input.',
  PATH_OUTSIDE_STACK:
    'Use a path inside the directory of the stack, outside `.git` and `.sluice`. For `from_file` outside the stack, you can instead list the directory of the file in `secrets.dirs`.',
  NO_MANIFESTS: 'Correct the paths in `manifests` of sluice.yaml, or add a manifest file there.',
  INVALID_MANIFEST: 'Write a mapping with `apiVersion`, `kind`, `metadata` and `spec`.',
  UNKNOWN_KIND: 'Correct the kind; `sluice explain` lists all kinds.',
  INVALID_NAME: 'Use a name of lower-case letters, digits and inner hyphens.',
  INVALID_LABEL: 'Put the value of the label in quotes.',
  INVALID_SELECTOR: 'Write a label selector such as `-l team=web,tier!=test`.',
  INVALID_LIFECYCLE: 'Correct the `lifecycle` setting in the message; `sluice explain lifecycle` lists all of them.',
  DUPLICATE_ADDRESS: 'Rename or remove one of the two manifests.',
  DUPLICATE_VALUE: 'Use the value in only one of the two resources.',
  UNREACHABLE: 'Add a hostport with the host to the edge, or correct the `match` of the route.',
  SHADOWED:
    'Change the `match` of the resource so that the resource selects requests that no other resource receives, or remove the resource.',
  UNKNOWN_REFERENCE:
    'Correct the name in the reference, or add a manifest for the resource; for a resource that the API does not manage, add an `External`.',
  NAME_AS_ID: 'Write a reference `{ref: NAME}` instead of the name.',
  REFERENCE_NOT_ALLOWED: 'Write a literal value instead of a reference.',
  INVALID_VALUE_SOURCE: 'Write only one source, such as `{from_env: NAME}` or `{from_file: PATH}`, without other keys.',
  UNKNOWN_VARIABLE: 'Declare the variable under `vars` in `sluice.yaml`, or correct its name in the manifest.',
  VARIABLE_NOT_SET: 'Set the variable under `vars`, with `--var NAME=VALUE`, or in `SLUICE_VAR_NAME`.',
  INVALID_VARIABLE: 'Give the variable a value of the type that `sluice.yaml` declares for it.',
  REFERENCE_CYCLE: 'Replace one of the references of the cycle with a literal value.',
  VALUE_NOT_SET:
    'Set the referenced field in the manifest of the other resource, or write the literal value instead of the reference.',
  VALUE_NOT_ACCEPTED: 'Write the literal value instead of the reference, or reference another field.',
  OUTPUT_NOT_ALLOWED: 'Reference an output of a stack in the same repository and account, or use a variable.',
  STACK_NOT_FOUND: 'Correct the path of the other stack; it is relative to the directory of this stack.',
  STACK_CYCLE: 'Replace one of the references of the cycle with a literal value, or move the resources into one stack.',
  VALUE_NOT_KNOWN: 'Apply the referenced resource first with `--target`, or apply the stack that contains it first.',
  VARIABLE_CYCLE: 'Give one of the variables of the cycle a literal value.',
  VARIABLE_NOT_ALLOWED:
    'Write the literal value instead of the variable. If the value differs between environments, change it with a patch in `sluice.yaml`.',
  INVALID_TEMPLATE: 'Write `${var.NAME}` for a variable, and `$${` for the text `${`.',
  ENV_NOT_SET: 'Set the environment variable in the pipeline, or in a file that `secrets.env_files` lists.',
  ENV_NOT_ALLOWED: 'Rename the environment variable, or add the prefix of its name to `env_prefixes`.',
  EXTERNAL_VALUE_NOT_ALLOWED:
    'If the value is no secret, write it in the manifest, or use an environment variable whose name begins with `SLUICE_VAR_`.',
  CREDENTIAL_AS_VALUE:
    'Use another environment variable or file: sluice does not write its own credentials into a resource.',
  SECRET_IN_MANIFEST:
    'Move the secret to an environment variable or a file, refer to it with `{from_env: NAME}` or `{from_file: PATH}`, and rotate the secret.',
  RESERVED_METADATA_KEY: 'Rename the key in `spec.metadata` of the resource.',
  NO_SPACE_FOR_MARKER: 'Shorten the `metadata` of the resource.',
  MISSING_MARKER:
    'Write `metadata` as a mapping. Without an ownership marker, only the state records which resource belongs to the manifest, so back up the state.',
  UNKNOWN_MODULE_SET: 'Correct the name of the module set, or add a manifest of kind `ModuleSet` with this name.',
  UNKNOWN_MODULE: 'Correct the key to the name of a module; `sluice explain ModuleSet` lists the modules.',
  CONFLICTING_MODULE_SETS: 'Write the module in the route itself, or include only one of the two module sets.',
  REDUNDANT_PARENT: 'Remove the field that names the parent from the entry.',
  PATCH_FAILED: 'Correct the patch operation that the message describes.',
  PATCH_TARGET_NOT_FOUND: 'Correct the `target` of the patch to a kind and name as `sluice plan` shows them.',
  API_KEY_IN_FILE: 'Remove the API key from the file, rotate the key, and set `SLUICE_API_KEY` to the new key.',
  DUPLICATE_STACK_ID: 'Run `sluice init --new-id` in the stack that is a copy of the other stack.',
  RESTART_REQUIRED: 'Restart `sluice watch`.',
  INVALID_SETTING: 'Correct the setting in the message; `sluice explain sluice.yaml` lists all settings.',
  ORIGIN_NOT_TRUSTED:
    'Ask the operator to set the environment variable shown in the message or, for a URL, to add its origin to `trusted_origins` of the operator policy; the repository can do neither.',
  ADOPT_NOT_FOUND: 'Correct the id in `lifecycle.adopt`; `sluice get KIND` lists live resources.',
  ADOPT_ALREADY_MANAGED:
    'Remove one of the two manifests. If the new manifest is a renamed copy, set `moved_from` in the new manifest and remove the old manifest. To keep a leftover, first remove the key `sluice` from its metadata in the service.',
  ADOPT_OWNED_BY_OTHER_STACK:
    'First remove the resource from the other stack with `lifecycle.on_remove: retain`, then set `adopt_from` to the id of that stack.',
  DUPLICATE_MOVE: 'Keep `moved_from` in only one of the two manifests.',
  MOVED_FROM_STILL_DEFINED: 'Remove the manifest of the old address, or remove `moved_from`.',
  MOVED_FROM_UNKNOWN:
    'If all environments have applied the rename, remove `moved_from`; otherwise correct its address.',
  DUPLICATE_ADOPTION: 'Keep `adopt` in only one of the two manifests.',
  ADOPT_IGNORED: 'Remove `adopt`, or adopt the resource in a manifest with another name.',
  ADOPT_REQUIRES_REPLACEMENT: 'Set the immutable fields in the manifest to the values of the live resource.',
  UNRESOLVED_REFERENCE: 'Apply the referenced resource first, or add it to the `--target` flags.',
  ALREADY_EXISTS_UNMANAGED:
    'Adopt the resource (`lifecycle.adopt`, with `adopt_from` if another stack owns it), or use another value.',
  IN_USE_IN_STACK: 'Run the command without `--target`, `-l` and `-f`, or change the other resource first.',
  STILL_REFERENCED:
    'Remove the reference of the other resource first, or run the command without `--target`, `-l` and `-f`.',
  EXPIRED: 'Replace the certificate with a certificate that is still valid.',
  EXPIRES_SOON: 'Replace the certificate before it expires, or set `lifecycle.renew_before`.',
  BEHIND_APPLIED:
    'Update the checkout of the replica, with the full git history (no shallow clone). To apply an older commit on purpose, run `sluice apply` in a checkout of that commit.',
  RULES_LOOSENED:
    'Review the change of `sluice.yaml`. To prevent the repository from loosening a rule, set the rule in the operator policy.',
  LAST_RUN_UNFINISHED:
    'Run `sluice history RUN` to show the changes that the last run planned. That run may have made the changes that the plan reports as made outside sluice.',
  RUNS_UNREADABLE:
    'Correct the permissions of the files and their directory, or run the command as the user that owns them. If the records are in a shared store, run the command again once the store responds.',
  STATE_MISSING:
    'Restore the state from a backup. If there is no backup, check what is public with `sluice exposure` before you apply.',
  OLDER_THAN_APPLIED: 'Pull the latest commits. To apply an older commit on purpose, run `sluice rollback`.',
  MOVED_FROM_MISSING:
    'To keep the resource, set `lifecycle.moved_from` of the new manifest to the present address of the resource. To replace the resource, first delete it in a separate apply.',
  POSSIBLE_RENAME:
    'If the resource was renamed, set `lifecycle.moved_from` to its former address; otherwise ignore the warning.',
  POSSIBLE_DUPLICATE:
    'To avoid a duplicate, adopt or reference the existing resource, or restore the state that records it; otherwise ignore the message.',
  IN_USE_BY_AGENT: 'Stop the agent that serves the URL, or use another host.',
  UNSUPPORTED_CHANGE:
    'Set `api.profile: completed` if the service supports that profile. Otherwise remove the field in the message, or split the change into two applies.',
  INVALID_COMBINATION: 'Change the manifest so that it satisfies the rule in the message.',
  SECRET_NOT_IN_PLAN_FILE:
    'Move the secret to an environment variable or a file, and refer to it with `{from_env: NAME}` or `{from_file: PATH}`.',
  NOT_IN_SNAPSHOT: 'Run `sluice plan` with access to the account, without `--snapshot`.',
  SNAPSHOT_OLD: 'Run `sluice snapshot` again, in a job with access to the account.',
  UNVERIFIED_SECRET: 'Restore the state from a backup, or send the secret again with `--resend-secrets`.',
  SECRET_UNAVAILABLE: 'Set the secret in the manifest with `{from_env: NAME}` or `{from_file: PATH}`.',
  IGNORED_SECRET_SENT: 'If another client has changed the secret, set that secret in the manifest before you apply.',
  IGNORED_ACCESS_CONTROL:
    'To restore the access control, remove the field from `lifecycle.ignore`. To keep the value that the service has now, write that value in the manifest.',
  UNMANAGED_CHILD:
    'Ignore the note if another team or tool manages the resource. To remove the resource, delete it in the service. To manage it, add a manifest and run `sluice import ADDRESS`.',
  DELETES_SKIPPED: 'Run the plan without `--target`, `-l` and `-f`.',
  OWNERSHIP_IN_STATE_ONLY: 'Back up the state: if the state is lost, sluice does not recognize the resource.',
  ADOPTED_BY_MARKER:
    'No action is required for the resource: sluice manages it again. Find out why the state was lost.',
  OWNED_BY_OTHER_STACK:
    'Remove the manifest from this stack: the next apply removes the resource only from the state. To manage the resource in this stack instead, adopt it with `lifecycle.adopt` and `adopt_from`, and remove the manifest from the other stack.',
  OLD_INSTANCE_NOT_OWNED: 'If no other stack or client uses the resource, delete it in the service.',
  DUPLICATE_RESOURCE:
    'Plan with `--keep-oldest`, which keeps the oldest duplicate and deletes the others, or delete all but one in the service.',
  MARKER_MISMATCH: 'In the service, remove the ownership marker from the metadata of the resource in the message.',
  MANY_RESOURCES_MISSING:
    'Check `api.base_url` and the API key; if the resources were deleted on purpose, pass `--accept-missing`. With the built-in emulator or a loopback address, this is only a warning, and apply creates the resources again.',

  // Failures
  USAGE: 'Follow the hint; `--help` lists the arguments and flags of a command.',
  INVALID_INPUT: 'Correct the listed errors; `sluice explain CODE` explains each error.',
  INVALID_API_KEY: 'Set `SLUICE_API_KEY` to the key alone, without a line break.',
  INVALID_BASE_URL: 'Set `api.base_url`, such as `https://api.example.com`.',
  INVALID_VENDOR:
    'Set `api.vendor` to the vendor name in the headers of the service: letters, digits and hyphens only.',
  INVALID_PROXY: 'Set the URL of the proxy to `http://host:port` or `https://host:port`.',
  INVALID_CA_FILE: 'Set `api.ca_file` or `SLUICE_CA_FILE` to a PEM file with the certificate of the authority.',
  INVALID_STATE_URL: 'Correct the URL of the state store; percent-encode special characters of the user and password.',
  INVALID_PLATFORM_URL: 'Set the API URL of the platform to an https URL that does not contain credentials.',
  INVALID_TOKEN: 'Set the environment variable of the token to the token alone, without a line break.',
  INVALID_FAULT:
    'Write the fault as `mode[=detail]@requests`. For example, `reset-after@POST:*:1` resets the connection after the first POST of any resource type. The hint of the error lists the modes.',
  INVALID_PATH: 'Report this error with the manifest: an id in the path has an invalid form.',
  STATE_PATH_IN_GIT:
    'Set `state.path`, or `--file` of `sluice state push` and `sluice state pull`, to a file outside of .git.',
  NOT_A_PLAN_FILE: 'Pass a file written by `sluice plan --out FILE`.',
  PLAN_FILE_DAMAGED: 'Run `sluice plan --out FILE` again.',
  PLAN_FROM_SNAPSHOT: 'Run `sluice plan --out FILE` with access to the account.',
  SNAPSHOT_DAMAGED: 'Run `sluice snapshot` again.',
  ABUSE_REPORT_NOT_FOUND: 'Check the id of the abuse report; the API cannot list abuse reports.',
  ENDPOINT_NOT_FOUND: 'Run `sluice endpoints list` to list the active endpoints.',
  RESOURCE_NOT_FOUND: 'Run `sluice get KIND` to list all live resources of the kind.',
  AMBIGUOUS_MATCH: 'Import the resource that you mean with `sluice import KIND/NAME ID`.',
  SESSION_NOT_FOUND: 'Run `sluice sessions list`: a restarted agent has a new session.',
  ID_NOT_FOUND: 'Run `sluice get KIND` to list live resources.',
  SECRET_NOT_SHOWN:
    'Look up the secret at the source that the manifest names, such as an environment variable or a file.',
  ADDRESS_IN_USE: 'Add a separate manifest for the resource to import.',
  ID_IN_USE:
    'Use the address under which the resource is managed; `sluice state list` shows it. To rename the resource, set `lifecycle.moved_from`.',
  ID_OWNED_BY_OTHER_STACK:
    'Adopt the resource with `lifecycle.adopt` and `adopt_from`, or leave the resource in the other stack.',
  ADDRESS_TAKEN: 'Change the manifests instead; `lifecycle.moved_from` renames a resource and keeps its id.',
  STACK_ID_IN_USE:
    'If this stack is a copy, run `sluice init --new-id`; if this stack was renamed, run `sluice apply --rename-from NAME` first, with its old name.',
  DUPLICATES:
    'For each manifest that the message lists, set `lifecycle.adopt` to the id of the resource to keep. Or pass `--keep-oldest`: sluice keeps the oldest and deletes the others.',
  NO_RESOURCES_DEFINED: 'Restore the manifests; to delete everything, run `sluice destroy` or pass `--allow-empty`.',
  DEPENDENCY_CYCLE: 'Split the change into two applies, and report the error with the manifests.',
  BLOCKED: 'Read the reason of each blocked change; `sluice explain CODE` explains the code.',
  PLAN_IS_STALE: 'Run `sluice plan` again, and have the new plan approved.',
  PLAN_NOT_APPROVABLE: 'Correct the problems that the message lists, then plan again.',
  FROM_SNAPSHOT: 'Run `sluice plan` with access to the account, without `--snapshot`.',
  TARGETED: 'Plan without `--target`, `-l` and `-f`.',
  UNVERIFIED_SECRETS: 'Keep the state between runs, or pass `--resend-secrets`.',
  VALUES_UNAVAILABLE: 'Provide the environment variables and files that the plan lists, then plan again.',
  UNRESOLVED_CREATIONS:
    'Run `sluice state resolve ADDRESS` with `--id ID` if the resource exists, or with `--absent` if it does not.',
  NOT_REVIEWED: 'Publish the plan with `sluice publish-digest`, have the pull request approved, then merge.',
  HISTORY_NOT_AVAILABLE:
    'Install git, and check out the whole history (`fetch-depth: 0`, `GIT_DEPTH: 0`). If the commit applied last is in no branch any more, run `sluice apply` without `--reviewed` once.',
  NO_PULL_REQUEST:
    'Run the command in the pipeline of a pull request, or set the variables and flags that the hint names.',
  OUTDATED_COMMIT: 'The pipeline of the new head commit writes the comment; start that pipeline if it did not run.',
  PLATFORM_REFUSED: 'Check the token of the platform, and the permissions of the token.',
  SECRETS_NOT_VERIFIED: 'Keep the state between runs, or plan with `resendSecrets: true`.',
  CHECKOUT_MOVED: 'Run the command again.',
  SOURCE_MISSING: 'Restore the directory or `sluice.yaml`. sluice deletes no resources while they are missing.',
  SOURCE_UNREADABLE: 'Give the user that runs sluice permission to read the directory of the stack.',
  SOURCE_CHANGING: 'Stop the process that keeps writing to the files, then run the command again.',
  UNCOMMITTED_CHANGES: 'Commit the changed files of the stack, or revert the changes.',
  FILE_NOT_ACCESSIBLE:
    'Free space on the disk, or give the user that runs sluice permission to read and write the file; then run the command again.',
  FILE_NOT_WRITTEN:
    'Free space on the disk, or give the user that runs sluice permission to write; then run the command again.',
  ACCESS_DENIED: 'Check the API key, and the permissions of the key.',
  API_REFUSED:
    'Correct the problem in the message. After a status 429 (too many requests), run the command again later, or set `api.rate_limit`.',
  API_FAILED: 'Run the command again later.',
  REDIRECTED: 'Set `api.base_url` to the URL of the API, not of a proxy, login page or redirect.',
  AMBIGUOUS_RESPONSE: 'Run `sluice apply` again: sluice detects the changes that were made.',
  UNREADABLE_RESPONSE: 'Check that `api.base_url` is the URL of the service, and that no proxy changes the responses.',
  UNREADABLE_LIST_RESPONSE:
    'Check that `api.base_url` is the URL of the service, and that no proxy changes the responses.',
  UNEXPECTED_RESPONSE: 'Check `api.base_url` and `api.profile`.',
  TOO_MANY_ITEMS: 'Check that `api.base_url` is the URL of the API, and that no proxy changes the responses.',
  OPERATION_NOT_SUPPORTED: 'Set `api.profile: documented` if the service offers only the documented operations.',
  CONNECTION_FAILED: 'Check the network and `api.base_url`, then run the command again.',
  TLS_NOT_SPOKEN: 'Check the scheme (http or https) and the port in the URL of the server.',
  CERTIFICATE_NOT_TRUSTED: 'Pass the certificate of the certificate authority with `--ca-file`.',
  CERTIFICATE_WRONG_HOST:
    'Check the host in the URL of the server, or install a certificate for this host on the server.',
  CERTIFICATE_EXPIRED: 'Check the clock of this machine, and the certificate of the server.',
  PROXY_FAILED: 'Check the proxy, or add the host of the service to `NO_PROXY` to connect directly.',
  PROXY_REFUSED:
    'Check the user and password in the URL of the proxy, and whether the proxy allows the host of the service.',
  REQUEST_TIMEOUT: 'Run the command again: sluice detects the changes that were made.',
  INTERRUPTED: 'Run the command again: sluice detects the changes that were made.',
  INTERNAL_ERROR: 'Run the command again; if the error persists, report it with the output of `--log-level debug`.',
  CHANGE_FAILED: 'Correct the cause in the message of the change, as its hint describes, then apply again.',
  NOT_FOUND: 'Run `sluice plan` again.',
  ID_UNKNOWN: 'Correct the failure of the other resource, then run `sluice apply` again.',
  FIELD_NOT_CLEARED: 'Set a value for the field in the manifest.',
  LAST_HOSTPORT_REQUIRED: 'Delete the edge; or apply a temporary hostport on the edge first, then move the hostport.',
  EARLIER_ATTEMPT_LOST: 'Run `sluice apply` again: sluice detects the changes that were made.',
  OUTCOME_UNKNOWN:
    'Check in the service whether the resource exists, then run `sluice state resolve ADDRESS` with `--id ID` if it exists, or with `--absent` if it does not.',
  OUTCOME_NOT_VERIFIED: 'Run `sluice apply` again: sluice first checks whether the resource exists.',
  READ_ONLY_COMMAND: 'Report this bug in sluice. Nothing was changed.',
  STATE_LOST:
    'Restore the state from a backup, or run `sluice state rebuild`, which finds resources by their ownership markers.',
  STATE_DAMAGED: 'Restore the state from its backup, or run `sluice state rebuild`.',
  STATE_UNREADABLE: 'Give the user that runs sluice permission to read and write the file.',
  STATE_NOT_WRITTEN:
    'Free space on the disk, or give the user that runs sluice permission to write; then run the command again. sluice finds created resources by their ownership markers.',
  STATE_CHANGED: 'Run the command again: sluice detects the changes that were made.',
  STATE_CHANGING: 'Run the command again.',
  STATE_ABSENT: 'No action is required: the first apply creates the state.',
  STATE_EXISTS:
    'Move the state to a location that has no state yet; `sluice state list` lists the resources in the state that `sluice.yaml` names.',
  STATE_MOVED:
    'Set `state` in `sluice.yaml` to the new location, or move the state back: `sluice state push` moves it into a shared store, `sluice state pull` into files.',
  STATE_NOT_EMPTY:
    'Run `sluice destroy` first; the command keeps each resource that had `lifecycle: {on_remove: retain}` when it was last applied.',
  STATE_ACCOUNT_MISMATCH:
    'To use the account that the state was made with, set `api.base_url` back to its URL. To use the other account, set another `state.path`, or move the state file away if its account was only a trial.',
  STATE_STACK_MISMATCH:
    'If `stack.id` was changed by mistake, restore its earlier value. Otherwise set `state.path` to the state file of this stack, or move the file that is there away.',
  STATE_TOO_NEW: 'Use the version of sluice that wrote the state, or a later version.',
  NOT_A_STATE:
    'Set `state.path` to the state file of this stack. If the path is correct, move the file that is there away.',
  JOURNAL_DAMAGED: 'Run `sluice state rebuild`, which finds resources by their ownership markers.',
  JOURNAL_MISMATCH: 'Restore state and journal from the same backup, or run `sluice state rebuild`.',
  JOURNAL_NOT_WRITTEN:
    'Free space on the disk, or give the user that runs sluice permission to write; then run the command again.',
  LOCK_HELD: 'Wait for the other run with `--lock-timeout`; if that run no longer exists, run `sluice state unlock`.',
  LOCK_LOST: 'Wait for the other run to finish, then run the command again.',
  LOCK_NOT_ACQUIRED: 'Make sure that the state directory exists, is writable and has free space.',
  LOCK_UNREADABLE:
    'Correct the permissions of the file and its directory, or run the command as the user that owns them.',
  LOCK_REQUIRED: 'In the program that uses the library, open the stack with `writes: true`.',
  WRITE_HELD_BACK: 'Check the state store and the load of the machine, then run the command again.',
  LEASE_DAMAGED: 'Make sure that no run is active, then run `sluice state unlock`.',
  LEASE_OUTDATED:
    'Make sure that no run is active, then do what the hint of the error says: run `sluice state unlock`, or run the command again.',
  STORE_ACCESS_DENIED: 'Check the credentials of the state store, and the permissions of these credentials.',
  STORE_CANNOT_SWAP: 'Use another store; `sluice state probe` tests whether a store can be used as a lock.',
  STORE_NOT_DURABLE: 'Enable the database setting in the message, for the role or the database of the state.',
  STORE_NOT_FOUND: 'Create the bucket or database, or correct its name in the settings of the state.',
  STORE_NOT_PREPARED: 'Run the SQL statements in the hint as a database role that may create the table.',
  STORE_READ_ONLY: 'Use the URL of the primary database server, which accepts writes.',
  STORE_REQUEST_REFUSED: 'Check `bucket`, `region`, `endpoint` and `path_style` in `state.s3` of `sluice.yaml`.',
  STORE_UNAVAILABLE:
    'Run the command again once the store is available. sluice finds created resources by their ownership markers.',
  WATCH_NOT_REACHABLE: 'Check that `sluice watch` runs, or pass the URL of its status page with `--url`.',
  WATCH_PAUSED: 'Run `sluice resume`, or wait until the pause ends; then run the command again.',
  WATCH_STATE_UNREADABLE: 'Make the file in the message readable for the user that runs `sluice watch`.',
  OPERATOR_REQUESTS_UNREADABLE: 'Make the file in the message readable for the user that runs `sluice watch`.',
  NO_PENDING_APPROVAL:
    'Check the status page of the watch: the changes may have been applied already, or a newer revision may require other changes.',
  PENDING_CHANGES_DIFFER: 'Review the pending changes on the status page, then run `sluice approve` with their digest.',
  NOT_RECONNECTED: 'Check the agent on its machine, or pass a longer `--timeout`.',
  VERSION_UNCHANGED: 'Check the log of the agent, then run the rollout again.',
  RESTART_NOT_SUPPORTED: 'Restart the agent on its machine.',
  UPDATE_DISABLED:
    'Enable update checks in the configuration file of the agent and restart the agent, or update the agent on its machine.',
  UPDATE_IN_PROGRESS: 'Wait ten seconds, then restart the agent with `sluice sessions restart`.',
  UPDATE_NEEDS_RESTART: 'Restart the agent with `sluice sessions restart`.',
  UPDATE_NOT_AVAILABLE: 'To change the major version, install the new version on the machine of the agent.',
};

/** Codes with their meanings, each with what to do about it as well. */
export function withRemedies(meanings: Readonly<Partial<Record<ErrorCode, string>>>): [string, CodeMeaning][] {
  const entries = Object.entries(meanings) as [ErrorCode, string][];
  return entries.map(([code, meaning]) => [code, { meaning, remedy: remedies[code] }]);
}
