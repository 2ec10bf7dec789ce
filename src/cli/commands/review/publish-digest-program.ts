import type { CliCommand } from '../../cli-command.ts';

/** The command that publishes the digest of a plan for review. */
export function addPublishDigestCommand(program: CliCommand): void {
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
    .loads(async () => (await import('./publish-digest-command.ts')).publishDigest);
}
