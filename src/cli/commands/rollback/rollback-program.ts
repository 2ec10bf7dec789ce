import type { CliCommand } from '../../cli-command.ts';
import { acceptMissing, allow, approving, lockTimeout, parallelism } from '../../arguments.ts';

/** The command that goes back to an earlier commit. */
export function addRollbackCommand(program: CliCommand): void {
  approving(program.command('rollback'))
    .summary('apply the manifests of an earlier commit')
    .argument('<revision>', 'commit, tag or branch of the git repository of the stack')
    .description(
      'Plan with the manifests of an earlier commit (no checkout needed), ask for approval, and apply the plan. Hazards, policies and approvals are the same as for any apply. Protected resources are listed and not changed. Environment variables and files outside the repository have their current values.',
    )
    .option('--events <file>', 'write apply events to this file as they happen, one JSON object per line')
    .addOption(acceptMissing())
    .option('--allow-empty', 'allow the deletion of all resources of the stack if the manifests define no resources')
    .addOption(lockTimeout())
    .addOption(allow())
    .addOption(parallelism())
    .examples('sluice rollback HEAD~1', 'sluice rollback 3f9a01b --auto-approve')
    .footer(
      `\`sluice history\` lists the commits that were applied. Revert the commits in git as well: the next apply uses the manifests in git.`,
    )
    .loads(async () => (await import('./rollback-command.ts')).rollback);
}
