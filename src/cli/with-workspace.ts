import { openWorkspace, type Workspace } from '../stack/workspace.ts';
import type { Context } from './context.ts';

/** Works with the stack of a command, its service and its state, which are closed afterwards. */
export async function withWorkspace<Result>(
  context: Context,
  options: Parameters<typeof openWorkspace>[1],
  work: (workspace: Workspace) => Promise<Result>,
): Promise<Result> {
  const workspace = await openWorkspace(context, options);
  try {
    return await work(workspace);
  } finally {
    await workspace.close();
  }
}
