import { randomBytes } from 'node:crypto';
import type { State } from '../model/state.ts';

/** Where state is kept between runs. */
export interface StateStore {
  /** What was last saved, or undefined where nothing ever was. */
  readonly load: () => Promise<State | undefined>;
  /**
   * Resolves once this state, or a later one, is durable. Calls made while a write is under way share the next one,
   * so each state given must hold all that earlier ones held. The store numbers what it writes: `serial` is not read.
   */
  readonly save: (state: State) => Promise<void>;
}

/** The state of a stack that has none yet. */
export function emptyState(lineage: string, account: string): State {
  return { format: 1, lineage, serial: 0, account, salt: randomBytes(16).toString('base64url'), entries: {} };
}
