import { planDetails } from '../../model/plan/plan-detail.ts';
import { parallelism, wholeNumber } from '../arguments.ts';
import { commentPlatforms } from '../ci.ts';
import type { CliCommand } from '../cli-command.ts';

/** The commands that pipelines call beside plan and apply: which stacks changed, the plan on its pull request, its digest, the account for plans without a key. */
export function addPipelineCommands(program: CliCommand): void {
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
    .choice('--platform <platform>', 'platform of the pull request (default: detected in a pipeline)', commentPlatforms)
    .option(
      '--pull-request <n>',
      'number of the pull request (default: the pull request of the pipeline)',
      wholeNumber(9_999_999),
    )
    .choice(
      '--detail <detail>',
      'detail of the comment: `full` shows the whole plan; `hazards` only the dangerous changes, with their URLs and resources; `counts` only numbers',
      planDetails,
      'full',
    )
    .option('--required', 'exit with 1 if the comment cannot be written (default: a warning, and exit 0)')
    .examples('sluice comment pr.plan', 'sluice comment pr.plan --detail hazards', 'sluice comment pr.plan --required')
    .loads(async () => (await import('./comment/comment-command.ts')).comment);
  program
    .command('publish-digest')
    .summary('set the digest of a plan as a commit status, for `apply --reviewed`')
    .argument(
      '<digest>',
      'digest to publish: the value of `review_digest` in the output of `sluice plan --format json`',
    )
    .description(
      'Set the digest of a plan as a commit status on the head of the pull request of this pipeline. `sluice apply --reviewed` applies a plan with this digest if the pull request was approved after that and then merged. The repository, the API URL and the token come from the environment variables of the platform, as for `sluice comment`.',
    )
    .examples('sluice publish-digest sha256:…')
    .loads(async () => (await import('./review/publish-digest-command.ts')).publishDigest);
  program
    .command('snapshot')
    .summary('save the account and the state to a file, for plans without an API key')
    .description(
      'Save the resources of this stack for `sluice plan --snapshot`, which needs no API key and no network. The file contains no secrets and no values from the environment or files. Of resources that this stack does not manage, it contains only hashes of their ids and of the values that must be unique.',
    )
    .requiredOption('--out <file>', 'where to save the snapshot')
    .addOption(parallelism())
    .examples('sluice snapshot --out snapshot.json', 'sluice plan --snapshot snapshot.json')
    .loads(async () => (await import('./snapshot/snapshot-command.ts')).snapshot);
}
