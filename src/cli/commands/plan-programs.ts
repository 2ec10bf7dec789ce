import { Option } from 'commander';
import { planDetails } from '../../model/plan/plan-detail.ts';
import { acceptMissing, allow, approving, lockTimeout, parallelism, selecting, wholeNumber } from '../arguments.ts';
import type { CliCommand } from '../cli-command.ts';
import type { AllFlags } from './all/stacks-of-run.ts';
import type { ApplyFlags } from './apply-command.ts';
import type { ApplySavedFlags } from './apply-saved.ts';
import { commentPlatforms } from './comment/comment-platforms.ts';
import type { PlanFlags } from './plan-command.ts';
import type { ValidateFlags } from './validate-command.ts';

/** The commands that check, plan and apply manifests, and those by which a pull request shows a plan. */
export function addPlanCommands(program: CliCommand): void {
  severally(reading(program.command('validate').summary('check the manifests without contacting the service')))
    .description('Check the manifests of the stack without contacting the service. Reports all problems at once.')
    .option('--github-annotations', 'annotate the lines of a pull request with warnings and errors')
    .examples('sluice validate', 'sluice validate -f manifests/shop.yaml', 'sluice validate --format sarif')
    .runs(async (context, flags: ValidateFlags & AllFlags) =>
      isForAll(flags)
        ? (await import('./all/on-all-stacks.ts')).validateAll(context, flags)
        : (await import('./validate-command.ts')).validate(context, flags),
    );

  severally(deciding(commenting(reading(program.command('plan').summary('show changes required by the manifests')))))
    .description(
      'Show changes required by the manifests, with the reason for each. Reads the manifests and the account; writes nothing to the account.',
    )
    .option(
      '--detailed-exitcode',
      'exit with 2 if changes are pending, or if an access rule does not hold in the account',
    )
    .option('--destroy', 'plan the deletion of all resources of the stack')
    .option('--drift-only', 'show only what has changed in the account since the last apply')
    .option('--requests', 'list every request that apply would make')
    .option(
      '--base <ref>',
      'target branch of the pull request, such as origin/main: show separately what this branch adds, what was already pending on the target branch, and drift',
    )
    .option('--check <digest>', 'exit with 0 if the plan has this digest, otherwise with 4')
    .option('--verify', 'apply the plan to a simulated copy of the account; exit with 1 if changes remain there')
    .addOption(allow())
    .option('--snapshot <file>', 'read the account from a file written by `sluice snapshot`, without an API key')
    .option('--out <file>', 'save the plan for `sluice apply <file>`; the file contains no secrets')
    .option('--github-summary', 'add the plan to the job summary of a GitHub Actions run')
    .option('--github-annotations', 'annotate the lines of a pull request with hazards, warnings and errors')
    .option('--gitlab-report <file>', 'write the Terraform report that GitLab shows on a merge request')
    .examples(
      'sluice plan',
      'sluice plan --requests -l team=web',
      'sluice plan --detailed-exitcode --format json',
      'sluice plan --all environments/',
    )
    .runs(async (context, flags: PlanFlags & AllFlags) =>
      isForAll(flags)
        ? (await import('./all/on-all-stacks.ts')).planAll(context, flags)
        : (await import('./plan-command.ts')).plan(context, flags),
    );

  severally(
    deciding(
      commenting(writing(reading(program.command('apply').summary('make the changes required by the manifests')))),
    ),
  )
    .argument('[plan]', 'a plan saved by `sluice plan --out`; applied only if planning again gives the same plan')
    .option('--digest <digest>', 'apply only if the plan has this approved digest; otherwise exit with 4')
    .option(
      '--reviewed',
      'apply only a plan whose digest was approved on the merged pull request; otherwise exit with 4',
    )
    .description(
      'Plan, ask for approval, and make the changes required by the manifests. Without a terminal, --auto-approve is required. A saved plan is applied without asking: it was approved when it was reviewed.',
    )
    .examples(
      'sluice apply',
      'sluice apply --auto-approve',
      'sluice apply --auto-approve --allow OPENS_ACCESS',
      'sluice apply --all environments/',
    )
    .footer(`Exit codes: 0 applied or no changes, 1 failed, 3 refused (nothing written), 6 partially applied.`)
    .runs(async (context, saved: string | undefined, flags: ApplyFlags & ApplySavedFlags & AllFlags) => {
      if (isForAll(flags)) return (await import('./all/on-all-stacks.ts')).applyAll(context, saved, flags);
      return saved === undefined
        ? (await import('./apply-command.ts')).apply(context, flags)
        : (await import('./apply-saved.ts')).applySaved(context, saved, flags);
    });

  commenting(program.command('show'))
    .summary('show a saved plan')
    .argument('<plan>', 'a plan file written by `sluice plan --out`')
    .description('Show a saved plan as of the time it was created, with the digest used to approve it.')
    .option('--requests', 'list every request that apply would make')
    .examples('sluice show plan.bin', 'sluice show plan.bin --format json')
    .loads(async () => (await import('./show-command.ts')).show);

  program
    .command('changed')
    .summary('list the stacks whose plans can differ after a range of commits')
    .description(
      'List the stacks at and below the working directory, or -C DIR, whose files differ between HEAD and its merge base with a ref. sluice compares the manifests, sluice.yaml with its patches and variables, and the files in from_file and secrets.env_files; it ignores other files and uncommitted changes. It also lists the stacks that use outputs of a listed stack. Reads only git; needs no API key.',
    )
    .requiredOption('--since <ref>', 'a branch or commit, such as origin/main')
    .examples('sluice changed --since origin/main', 'sluice changed --since origin/main --format json | jq -c .matrix')
    .footer(`A stack is changed, new or deleted. With --format json, \`matrix\` has the changed and new stacks for the matrix of a
GitHub Actions job. The exit code is 0 even if no stack has changed.`)
    .loads(async () => (await import('./changed/changed-command.ts')).changed);

  program
    .command('comment')
    .summary('show a saved plan on its pull request')
    .argument('<plan>', 'a plan file written by `sluice plan --out`, or the JSON that a failed `sluice plan` printed')
    .description(
      'Post a plan as a comment on the pull request of this pipeline, or update the existing comment for this stack. sluice updates only comments that the user of the token wrote. Repository, pull request and API URL come from the variables that the pipeline sets, the token from GITHUB_TOKEN, GITLAB_TOKEN, GITEA_TOKEN or FORGEJO_TOKEN.',
    )
    .choice('--platform <platform>', 'platform (default: detected in a pipeline)', commentPlatforms)
    .option(
      '--pull-request <n>',
      'number of the pull request (default: the pull request of the pipeline)',
      wholeNumber(9_999_999),
    )
    .choice(
      '--detail <detail>',
      'how much the comment shows: everything; only the hazards, with their URLs and resources; or only counts',
      planDetails,
      'full',
    )
    .option('--required', 'exit with 1 if the comment cannot be written (default: a warning, and exit 0)')
    .examples('sluice comment pr.plan', 'sluice comment pr.plan --detail hazards', 'sluice comment pr.plan --required')
    .loads(async () => (await import('./comment/comment-command.ts')).comment);

  program
    .command('publish-digest')
    .summary('set the digest of a plan as a commit status, for `apply --reviewed`')
    .argument('<digest>', '`review_digest` from the output of `sluice plan --format json`')
    .description(
      'Set the digest of a plan as a commit status on the head of the pull request of this pipeline. `sluice apply --reviewed` applies a plan with this digest if the pull request was approved after that and then merged. The repository, the API URL and the token come from the environment variables of the platform, as for `sluice comment`.',
    )
    .examples('sluice publish-digest sha256:…')
    .loads(async () => (await import('./review/publish-digest-command.ts')).publishDigest);

  program
    .command('snapshot')
    .summary('save what a plan reads, for plans without an API key')
    .description(
      'Save the resources of this stack for `sluice plan --snapshot`, which needs no API key and no network. The file contains no secrets and no external values; of resources that this stack does not manage, it contains only hashes: of their ids and of the values that must be unique.',
    )
    .requiredOption('--out <file>', 'where to save the snapshot')
    .addOption(parallelism())
    .examples('sluice snapshot --out snapshot.json', 'sluice plan --snapshot snapshot.json')
    .loads(async () => (await import('./snapshot/snapshot-command.ts')).snapshot);

  commenting(writing(program.command('destroy').summary('delete all resources of this stack')))
    .description(
      'Delete all resources of this stack. If any of them is protected, nothing is deleted: first remove the protection in the manifests and apply that change.',
    )
    .addOption(parallelism())
    .addOption(keepOldest())
    .addOption(new Option('--all [dir]').hideHelp())
    .examples('sluice destroy', 'sluice destroy --auto-approve')
    .footer(`Exit codes: 0 deleted, 3 refused because a resource is protected (nothing written), 6 partially deleted.`)
    .loads(async () => (await import('./destroy-command.ts')).destroy);
}

/** Flags of commands whose result can be posted as a comment. */
function commenting(command: CliCommand): CliCommand {
  return command
    .choice(
      '--platform <platform>',
      'platform of the comments written with --format markdown (default: detected in a pipeline)',
      ['github', 'gitlab', 'gitea', 'bitbucket'],
    )
    .option(
      '--max-bytes <n>',
      'maximum size of --format markdown in bytes (default: the limit of the platform)',
      wholeNumber(9_999_999, 2048),
    );
}

/** Flags of commands that read manifests. */
function reading(command: CliCommand): CliCommand {
  return selecting(command).addOption(parallelism());
}

/** Flags of commands that plan: each overrides a safety check. */
function deciding(command: CliCommand): CliCommand {
  return command
    .option('--resend-secrets', 'send secrets whose live value cannot be verified')
    .option('--require-verified-secrets', 'exit with 3 if a secret cannot be verified')
    .addOption(acceptMissing())
    .addOption(keepOldest())
    .option(
      '--rename-from <name>',
      'previous name of this stack; this stack keeps the resources whose ownership marker has that name',
    )
    .option('--allow-empty', 'allow the deletion of all resources of the stack if the manifests define no resources');
}

/** Whether a command is to run in several stacks; --since alone is reported there. */
function isForAll({ all, since }: AllFlags): boolean {
  return (all ?? since) !== undefined;
}

/** Flags of commands that can run in several stacks. */
function severally(command: CliCommand): CliCommand {
  return command
    .option('--all [dir]', 'run in every stack at and below a directory (default: the working directory, or -C)')
    .option(
      '--since <ref>',
      'with --all: run only in the stacks that `sluice changed` lists for this branch or commit',
    );
}

function keepOldest(): Option {
  return new Option(
    '--keep-oldest',
    'of duplicate resources, keep the resource in the state, otherwise the oldest, and delete the rest',
  );
}

/** Flags of commands that change the account. */
function writing(command: CliCommand): CliCommand {
  return approving(command)
    .option('--events <file>', 'write apply events to this file as they happen, one JSON object per line')
    .addOption(lockTimeout())
    .addOption(allow());
}
