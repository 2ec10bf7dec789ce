import type { CliCommand } from '../../cli-command.ts';
import { planDetails } from '../../../model/plan/plan-detail.ts';
import { wholeNumber } from '../../arguments.ts';
import { commentPlatforms } from './comment-platforms.ts';

/** The command that shows a plan on its pull request. */
export function addCommentCommand(program: CliCommand): void {
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
    .loads(async () => (await import('./comment-command.ts')).comment);
}
