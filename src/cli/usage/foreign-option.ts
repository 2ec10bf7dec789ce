/** What to write in place of an option of Terraform, kubectl or Helm that no command has. */
export function foreignOptionHint(option: string): string | undefined {
  return options.find(([names]) => names.split(' ').includes(option))?.[1];
}

const options: readonly (readonly [names: string, hint: string])[] = [
  ['json o output', 'write `--format json`'],
  [
    'dry-run',
    'run `sluice plan`: it writes nothing; for commands of `sluice sessions`, write `--dry-run` without a value',
  ],
  ['refresh refresh-only', 'every plan reads the account; `sluice plan --drift-only` shows what changed there'],
  [
    'force',
    'no option skips all checks: a refusal names the option that allows it, such as `--allow OPENS_ACCESS`; `--auto-approve` skips the question',
  ],
  ['lock', 'remove the option: commands that write always take the lock; `--lock-timeout 5m` waits for it'],
  ['input', 'remove the option: sluice asks for approval only at a terminal; `--auto-approve` skips the question'],
  ['destroy', 'run `sluice destroy`; `sluice plan --destroy` shows what it would delete'],
  ['v verbose debug', 'pass `--log-level debug`; `sluice --version` prints the version'],
  ['api-key token', 'set the variable SLUICE_API_KEY: other users of the machine can read arguments'],
  ['base-url profile vendor', 'set it under `api` in sluice.yaml'],
  ['var-file values set', 'write the values under `vars` in sluice.yaml, or pass `--var NAME=VALUE`'],
  ['chdir', 'write `-C DIR`'],
  [
    'n namespace context stack env',
    'sluice has no namespaces: each stack has its own directory; select one with `-C DIR`',
  ],
  ['backend-config', 'set `state` in sluice.yaml'],
  ['replace', 'change the manifest; sluice replaces a resource only if a field cannot be updated'],
];
