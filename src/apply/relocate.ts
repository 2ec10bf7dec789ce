import type { Change } from '../model/plan.ts';
import type { Memory } from './memory.ts';

/** What moves is remembered by its new address before anything is sent: in a chain, one takes the address that another leaves. */
export function relocate(changes: readonly Change[], memory: Memory): void {
  const moving = changes.flatMap(({ address, movedFrom, id }) => {
    const entry = movedFrom === undefined ? undefined : memory.entry(movedFrom);
    return movedFrom === undefined || entry === undefined || entry.id !== id ? [] : [{ address, movedFrom, entry }];
  });
  for (const { movedFrom } of moving) memory.drop(movedFrom);
  for (const { address, entry } of moving) memory.put(address, entry);
}

/** Forgets a resource. One that keeps our marker, because it cannot be taken away here, is remembered as given up (rulings 21). */
export function giveUp({ address, kind, id, markerBefore }: Change, memory: Memory): void {
  if (id === undefined || markerBefore === undefined) memory.drop(address);
  else memory.bury(id, { kind, address });
}
