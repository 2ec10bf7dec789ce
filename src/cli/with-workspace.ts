import { openState } from '../stack/open-state.ts';
import { openService } from '../stack/service/open-service.ts';
import { openWorkspace } from '../stack/workspace.ts';
import { closeAfter, unclosedCode } from './close-after.ts';
import type { Context } from './context.ts';

/** Works with the stack of a command, its service and its state, which are closed afterwards. */
export const withWorkspace = closing(openWorkspace);

/** Works with the service alone, whose connections are closed afterwards. */
export const withService = closing(openService);

/** Works with the state alone, which is closed afterwards. */
export const withState = closing(openState);

function closing<Options, Opened extends { readonly close: () => Promise<void> }>(
  open: (context: Context, options: Options) => Promise<Opened>,
): (context: Context, options: Options, work: (opened: Opened) => number | Promise<number>) => Promise<number> {
  return async (context, options, work) => {
    const opened = await open(context, options);
    return closeAfter(context, opened.close, async () => work(opened), unclosedCode);
  };
}
