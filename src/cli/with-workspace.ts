import { openService, type Service } from '../stack/service/open-service.ts';
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

/** Works with the service alone, whose connections are closed afterwards. */
export async function withService(
  context: Context,
  options: Parameters<typeof openService>[1],
  work: (service: Service) => Promise<number>,
): Promise<number> {
  const service = await openService(context, options);
  return closeAfter(context, service.close, () => work(service), unclosedCode);
}
