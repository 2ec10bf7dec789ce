import { stackIdOf } from '../../../derive/marker.ts';
import { offers } from '../../../derive/wire/operations.ts';
import { counted } from '../../../diagnostics/counted.ts';
import { quoted } from '../../../diagnostics/quoted.ts';
import { kinds } from '../../../kinds/index.ts';
import { writeManifests, type ToWrite } from '../../../manifest/write/write-manifests.ts';
import type { Account } from '../../../model/actual.ts';
import { addressOf } from '../../../model/address.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import type { Workspace } from '../../../stack/workspace.ts';
import { withWorkspace } from '../../with-workspace.ts';
import { spelledKind } from '../../../derive/explain/kind-words.ts';
import { warnOfSecrets, writeDocuments, type WriteFlags } from './export-files.ts';
import { exportScope, refreshForExport, type ExportScope } from './export-scope.ts';

interface ExportFlags extends WriteFlags {
  readonly all?: boolean;
  readonly allStacks?: boolean;
  readonly parallelism: number;
}

/** Writes live resources as manifests that the next plan adopts without changes. Writes nothing to the service. */
export async function exportAccount(context: Context, what: readonly string[], flags: ExportFlags): Promise<number> {
  const scope = exportScope(what, flags.all === true);
  return withWorkspace(context, { ...flags, command: 'export', writes: false }, async (workspace) => {
    const { account, unlisted } = await refreshForExport(scope, workspace);
    const found = liveIn(account, scope, workspace);
    const taken = found.filter(({ otherStack }) => otherStack === undefined || flags.allStacks === true);
    const prefix = workspace.settings.env_prefixes?.[0] ?? '';
    const { documents, variables } = writeManifests(taken, { kinds, prefix, profile: workspace.stack.profile });
    await writeDocuments(context, documents, flags);
    await context.report(account.diagnostics.filter(({ severity }) => severity !== 'note'));
    const skipped = found.length - taken.length;
    if (found.length === 0) context.log('warn', 'There are no resources to export.');
    if (skipped > 0)
      context.log(
        'warn',
        `Skipped ${counted(skipped, 'resource')} owned by other stacks. Pass --all-stacks to export them.`,
      );
    for (const kind of unlisted)
      context.log(
        'warn',
        `The profile ${workspace.stack.profile} has no list operation for ${kind}: only resources in state or with active endpoints were exported. To export other resources of this kind too, run \`sluice export --all ${kind}/ID\`.`,
      );
    warnOfSecrets(context, variables);
    return exitCodes.done;
  });
}

/** The live resources to export, with the stack that owns each. */
function liveIn({ ours, foreign }: Account, scope: ExportScope, { stack, stateOrEmpty }: Workspace): ToWrite[] {
  const live: ToWrite[] = [
    ...[...ours].map(([address, actual]) => {
      const outer = kinds.named(kinds.outermost(actual.kind));
      const isFound = outer === undefined || offers(outer, stack.profile).list;
      return { address, actual, hidden: !isFound && stateOrEmpty.entries[address]?.id !== actual.id };
    }),
    ...foreign.map((actual) => {
      const owner = actual.marker === undefined ? stack.id : stackIdOf(actual.marker);
      return owner === stack.id ? { actual } : { actual, otherStack: owner };
    }),
  ].filter(({ actual }) => scope.covers(actual));
  for (const { kind, id } of scope.ids)
    if (!live.some(({ actual }) => actual.kind === kind && actual.id === id))
      throw new UsageError(`${kind} ${quoted(id, 80)} does not exist in the account`, exportHint(kind, id, ours));
  return live;
}

/** A resource is exported by its id; for a name, the error contains the id. */
function exportHint(kind: string, name: string, ours: Account['ours']): string {
  const meant = ours.get(addressOf(kind, name));
  return meant === undefined
    ? `run \`sluice get ${spelledKind(kind)}\` to list all resources of this kind`
    : `export requires ids: run \`sluice export ${spelledKind(kind)}/${meant.id}\``;
}
