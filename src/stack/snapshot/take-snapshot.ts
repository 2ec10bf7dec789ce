import { kinds } from '../../kinds/index.ts';
import { serviceSource } from '../../refresh/service-source.ts';
import { loadDesired } from '../plan/load-desired.ts';
import { refreshStack } from '../plan/refresh-stack.ts';
import { pipelineCommit } from '../settings/pipeline-run-url.ts';
import type { StackContext } from '../stack-context.ts';
import type { Workspace } from '../workspace.ts';
import { makeSnapshot, type NewSnapshot } from './make-snapshot.ts';

/** Reads the account, and makes a snapshot for plans without access to it. */
export async function takeSnapshot(context: StackContext, workspace: Workspace): Promise<NewSnapshot> {
  const { reader, state, stack, digest, stateOrEmpty } = workspace;
  const takenAt = new Date((context.io.now ?? Date.now)()).toISOString();
  const { desired, ...wanted } = await loadDesired(context, workspace, {}, 'ignore');
  const account = await refreshStack(
    context,
    workspace,
    { desired, ...wanted },
    { acceptMissing: true, isWhole: true },
  );
  const endpoints = account.served ?? (await serviceSource(reader, kinds).endpoints());
  const revision = pipelineCommit(context.io.env);
  return makeSnapshot({
    stack,
    service: stateOrEmpty.account,
    takenAt,
    revision,
    account,
    endpoints,
    state,
    desired,
    digest,
  });
}
