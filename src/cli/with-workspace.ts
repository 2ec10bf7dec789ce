import { openWorkspace, type Workspace } from '../stack/workspace.ts';
import { closeAfter, unclosedCode } from './close-after.ts';
import type { Context } from './context.ts';

/** Works with the stack of a command, its service and its state, which are closed afterwards. */
export async function withWorkspace(
  context: Context,
  options: Parameters<typeof openWorkspace>[1],
  work: (workspace: Workspace) => Promise<number>,
): Promise<number> {
  const workspace = await openWorkspace(context, options);
  return closeAfter(context, workspace.close, () => work(workspace), unclosedCode);
}
