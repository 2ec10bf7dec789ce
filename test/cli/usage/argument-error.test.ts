import { describe, expect, test } from 'vitest';
import { sluice } from '../terminal.ts';

describe('an error about arguments', () => {
  test.each<[string, { readonly message: string; readonly hint?: string }]>([
    [
      'sessions list --format sarif',
      { message: expect.stringMatching(/^--format sarif is available for validate; sessions list /) as string },
    ],
    [
      'plan --format json --nope',
      { message: "unknown option '--nope'", hint: 'run `sluice plan --help` to list the options' },
    ],
    ['plan --format json --requets', { message: "unknown option '--requets'", hint: 'did you mean `--requests`?' }],
    [
      'apply --format json --auto-approve=false',
      {
        message: "the option '--auto-approve' is unknown or takes no value",
        hint: 'run `sluice apply --help` to list the options',
      },
    ],
    // Terraform's spelling.
    [
      'plan --format json -target HTTPSEdge/shop',
      { message: "unknown option '-target'", hint: 'write long options with two dashes, as in `--target`' },
    ],
    [
      'plan --format json -var=token=hunter2',
      {
        message: "the option '-var' is unknown or takes no value",
        hint: 'write long options with two dashes, as in `--var`',
      },
    ],
    [
      'plan --format json -refresh=false',
      {
        message: "the option '-refresh' is unknown or takes no value",
        hint: 'every plan reads the account; `sluice plan --drift-only` shows what changed there',
      },
    ],
    ['plan --format json --json', { message: "unknown option '--json'", hint: 'write `--format json`' }],
    ['plan --format json -json', { message: "unknown option '-json'", hint: 'write `--format json`' }],
    [
      'apply --format json --dry-run',
      {
        message: "unknown option '--dry-run'",
        hint: 'run `sluice plan`: it writes nothing; for commands of `sluice sessions`, write `--dry-run` without a value',
      },
    ],
    // Not "did you mean `--format`?".
    [
      'apply --format json --force',
      {
        message: "unknown option '--force'",
        hint: 'no option skips all checks: a refusal names the option that allows it, such as `--allow OPENS_ACCESS`; `--auto-approve` skips the question',
      },
    ],
    [
      'plan --format json -var-file=a.tfvars',
      {
        message: "the option '-var-file' is unknown or takes no value",
        hint: 'write the values under `vars` in sluice.yaml, or pass `--var NAME=VALUE`',
      },
    ],
    [
      'plan --format json -chdir=/stack',
      {
        message: "the option '-chdir' is unknown or takes no value",
        hint: 'write `-C DIR`',
      },
    ],
    // Not a file `ile=…`, a label `ock` or a file `orce`.
    [
      'plan --format json -file=manifests',
      {
        message: "the option '-file' is unknown or takes no value",
        hint: 'write long options with two dashes, as in `--file`',
      },
    ],
    [
      'apply --format json -lock=false',
      {
        message: "the option '-lock' is unknown or takes no value",
        hint: 'remove the option: commands that write always take the lock; `--lock-timeout 5m` waits for it',
      },
    ],
    [
      'apply --format json -force',
      { message: "unknown option '-force'", hint: expect.stringMatching(/^no option skips all checks/) as string },
    ],
    [
      'apply --format json -yes',
      { message: "unknown option '-yes'", hint: 'write long options with two dashes, as in `--yes`' },
    ],
    // One hint, not also that of a command without the option.
    [
      'sessions stop ts_1 --format json -dry-run',
      { message: "unknown option '-dry-run'", hint: 'write long options with two dashes, as in `--dry-run`' },
    ],
    [
      'apply --format json -destroy',
      {
        message: "unknown option '-destroy'",
        hint: 'run `sluice destroy`; `sluice plan --destroy` shows what it would delete',
      },
    ],
    [
      'sessions stop ts_1 --format json --dry-run=client',
      {
        message: "the option '--dry-run' is unknown or takes no value",
        hint: 'run `sluice plan`: it writes nothing; for commands of `sluice sessions`, write `--dry-run` without a value',
      },
    ],
    [
      'plan --format json --verify=1',
      {
        message: "the option '--verify' is unknown or takes no value",
        hint: 'run `sluice plan --help` to list the options',
      },
    ],
    [
      'plan --format json --allow OPENS_ACCES',
      { message: expect.stringMatching(/'OPENS_ACCES' is invalid\.$/) as string, hint: 'did you mean `OPENS_ACCESS`?' },
    ],
    [
      'sessions get --format json',
      { message: "missing required argument 'id'", hint: 'run `sluice sessions get --help` to list the arguments' },
    ],
    [
      'validate --format json manifests/web.yaml',
      {
        message: "too many arguments for 'validate': 1 given, 0 allowed",
        hint: 'name files and directories of manifests with `-f PATH`, and a resource with `--target KIND/NAME`',
      },
    ],
    ['sessions lst --format json', { message: 'unknown command "lst"', hint: 'did you mean `sluice sessions list`?' }],
  ])('of %j has the same message and hint as JSON and as text', async (words, expected) => {
    const { code, out, err } = await sluice('.', words);
    const { error } = JSON.parse(out) as { error: { code: string; message: string; hint?: string } };
    expect(error).toEqual({ code: 'USAGE', ...expected });
    expect({ code, err }).toEqual({
      code: 8,
      err: `error: ${error.message}\n${error.hint === undefined ? '' : `  ${error.hint}\n`}`,
    });
  });
});
