import { stackIdOf } from '../../../derive/marker.ts';
import { offers } from '../../../derive/operations.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { kinds } from '../../../kinds/index.ts';
import type { Profile } from '../../../kinds/kind.ts';
import { apiVersion } from '../../../manifest/check/manifest-shape.ts';
import { writeManifests, type ToWrite } from '../../../manifest/write/write-manifests.ts';
import { writtenText } from '../../../manifest/write/write-text.ts';
import type { Account } from '../../../model/actual.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import { openWorkspace, type Workspace } from '../../../stack/workspace.ts';
import { writeFiles } from './export-files.ts';
import { refreshForExport } from './export-refresh.ts';
import { exportScope, type ExportScope } from './export-scope.ts';

/** What to export, and where to. */
export interface ExportFlags {
  /** A directory, in place of standard output. */
  readonly out?: string;
  readonly overwrite?: boolean;
  /** Everything, also where single resources are named. */
  readonly all?: boolean;
  readonly allStacks?: boolean;
  readonly parallelism: number;
}

/** Writes live resources as manifests by which the next plan adopts them as they are. Writes nothing to the service. */
export async function exportAccount(context: Context, what: readonly string[], flags: ExportFlags): Promise<number> {
  const scope = exportScope(what, flags.all === true, kinds);
  const workspace = await openWorkspace(context, { ...flags, command: 'export', writes: false });
  try {
    const { account, unlisted } = await refreshForExport(scope, workspace, kinds);
    const found = liveIn(account, scope, workspace);
    const taken = found.filter(({ otherStack }) => otherStack === undefined || flags.allStacks === true);
    const prefix = workspace.settings.env_prefixes?.[0] ?? '';
    const { documents, variables } = writeManifests(taken, { kinds, prefix });
    if (flags.out === undefined)
      context.result(
        () => documents.map(({ value }) => writtenText(value)).join('---\n'),
        () => ({ apiVersion, kind: 'List', items: documents.map(({ value }) => value) }),
      );
    else await writeFiles(context, documents, flags.out, flags.overwrite === true);
    await context.report(account.diagnostics.filter(({ severity }) => severity !== 'note'));
    const leftOut = found.length - taken.length;
    for (const text of limitsOf({ leftOut, unlisted, variables, profile: workspace.stack.profile }))
      context.log('warn', text);
    return exitCodes.done;
  } finally {
    await workspace.close();
  }
}

/** What an export cannot hold, and what is to be done about it. */
function limitsOf({
  leftOut,
  unlisted,
  variables,
  profile,
}: {
  readonly leftOut: number;
  readonly unlisted: readonly string[];
  readonly variables: readonly string[];
  readonly profile: Profile;
}): string[] {
  const names = variables.map((name) => `\n  ${name}`).join('');
  return [
    ...(leftOut === 0
      ? []
      : [`Left out: ${leftOut} resources with the marker of another stack; --all-stacks takes them along.`]),
    ...unlisted.map(
      (kind) =>
        `The profile ${profile} offers no list of ${kind}: found is only what state and the active endpoints show. Name others as ${kind}/ID beside --all.`,
    ),
    ...(names === ''
      ? []
      : [`No secret is written. Set these variables to what they were before the next plan:${names}`]),
  ];
}

/** What is to be exported of an account, with whose it is. */
function liveIn({ ours, foreign }: Account, scope: ExportScope, { stack, memory }: Workspace): ToWrite[] {
  const live: ToWrite[] = [
    ...[...ours].map(([address, actual]) => {
      const outer = kinds.named(kinds.outermost(actual.kind));
      const isFound = outer === undefined || offers(outer, stack.profile).list;
      return { address, actual, hidden: !isFound && memory.entries[address]?.id !== actual.id };
    }),
    ...foreign.map((actual) => {
      const owner = actual.marker === undefined ? stack.id : stackIdOf(actual.marker);
      return owner === stack.id ? { actual } : { actual, otherStack: owner };
    }),
  ].filter(({ actual }) => scope.covers(actual));
  for (const { kind, id } of scope.ids)
    if (!live.some(({ actual }) => actual.kind === kind && actual.id === id))
      throw new UsageError(
        `the account has no ${kind} ${JSON.stringify(safeText(id, 80))}`,
        '`sluice get` lists what there is',
      );
  return live;
}
