import { hideSecrets } from '../../derive/external/hidden-values.ts';
import type { SpecObject } from '../../kinds/value.ts';
import type { DesiredStack } from '../../model/resource.ts';
import { createDigester } from '../../state/digest.ts';
import { accountOf } from '../open-state.ts';
import { readStackConfig, type StackConfig } from '../settings/stack-config.ts';
import type { StackContext } from '../stack-context.ts';
import { UsageError } from '../usage-error.ts';
import type { PlanningWorkspace } from '../workspace.ts';
import { readSnapshot, type Snapshot } from './snapshot-text.ts';
import { snapshotSource } from './snapshot-source.ts';

/** Opens a stack to plan from a snapshot: without an API key, a state or a network. */
export async function openSnapshot(context: StackContext, name: string): Promise<PlanningWorkspace> {
  const open = await readStackConfig(context);
  const snapshot = readSnapshot(context, name);
  mustBeOf(open, snapshot, name);
  const { state, salt, taken_at: takenAt, revision } = snapshot.file;
  return {
    ...open,
    source: (desired) => snapshotSource(snapshot, desired),
    state,
    digest: createDigester(state?.salt ?? salt),
    parallelism: 1,
    isLocal: false,
    gapMs: () => undefined,
    snapshot: { takenAt, ...(revision === undefined ? {} : { revision }) },
    close: () => Promise.resolve(),
  };
}

/** What manifests want, as far as a snapshot can be compared with it. */
export function withoutSecrets(desired: DesiredStack): DesiredStack {
  return {
    ...desired,
    resources: desired.resources.map((one) => ({ ...one, spec: hideSecrets(one.spec) as SpecObject })),
  };
}

function mustBeOf(open: StackConfig, { file }: Snapshot, name: string): void {
  const { stack } = open;
  const expected = [
    ['stack', `${file.stack.name}/${file.stack.id}`, `${stack.name}/${stack.id}`],
    ['service', file.account, accountOf(open)],
    ['stack', file.state?.lineage ?? stack.id, stack.id],
  ] as const;
  for (const [what, found, wanted] of expected)
    if (found !== wanted)
      throw new UsageError(
        `${name} is a snapshot of the ${what} ${found}, but this command is for the ${what} ${wanted}`,
        'run `sluice snapshot` for this stack',
      );
}
