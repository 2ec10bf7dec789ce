import type { State } from '../model/state.ts';
import { openState } from './open-state.ts';
import type { StackContext } from './stack-context.ts';
import { stackFileAtHand } from './stack-file-at-hand.ts';

/** The state of the stack at hand, for commands that also work without a stack. */
export async function stateAtHand(context: StackContext, command: string): Promise<State | undefined> {
  if (stackFileAtHand(context) === undefined) return undefined;
  const quiet = { ...context, report: () => Promise.resolve() };
  const { state, close } = await openState(quiet, { command, writes: false });
  await close();
  return state;
}
