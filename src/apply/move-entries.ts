import type { Change } from '../model/plan/plan.ts';
import type { StateWriter } from './state-writer.ts';

/** What moves is remembered by its new address before anything is sent: in a chain, one takes the address that another leaves. */
export function moveEntries(changes: readonly Change[], state: StateWriter): void {
  const moving = changes.flatMap(({ address, movedFrom, id }) => {
    const entry = movedFrom === undefined ? undefined : state.entry(movedFrom);
    return movedFrom === undefined || entry === undefined || entry.id !== id ? [] : [{ address, movedFrom, entry }];
  });
  for (const { movedFrom } of moving) state.drop(movedFrom);
  for (const { address, entry } of moving) state.put(address, entry);
}

/** Forgets a resource. One that keeps our marker, because it cannot be taken away here, is remembered as given up (decisions/0032). */
export function forgetEntry({ address, kind, id, markerBefore }: Change, state: StateWriter): void {
  if (id === undefined || markerBefore === undefined) state.drop(address);
  else state.putForgotten(id, { kind, address });
}
