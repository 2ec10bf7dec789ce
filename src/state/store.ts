import { randomBytes } from 'node:crypto';
import type { Pause } from '../model/sliced.ts';
import type { StateChange } from '../model/state-change.ts';
import type { State } from '../model/state.ts';
import type { Writer } from './document.ts';

/** Whose state a store keeps. */
export interface StateStoreOptions {
  /** The stack's id. */
  readonly lineage: string;
  /** The origin of the API. */
  readonly account: string;
  readonly writer: Writer;
  readonly now?: () => Date;
  /** Between the steps of reading and writing a state; none where left out. */
  readonly pause?: Pause;
  /**
   * For the destination of a move: the serial of the state that is moved here. A state that was moved away from here
   * before is absent then, and what is written counts on from the larger serial.
   */
  readonly continues?: number;
}

/** Where state is kept between runs. The store numbers what it writes: the `serial` of what it is given is not read. */
export interface StateStore {
  /** What was last saved and recorded, or undefined where nothing ever was. */
  readonly load: () => Promise<State | undefined>;
  /** Puts a state in the place of whatever was there. Resolves once it, or a later one, is durable. */
  readonly save: (state: State) => Promise<void>;
  /**
   * For a run that changes a state little by little: each change resolves once it is durable, and those made while a
   * write is under way share the next one. What could not be written goes along with the next that can.
   */
  readonly recorder: (state: State) => (change: StateChange) => Promise<void>;
  /** Ends a run: what was recorded is put in order. Nothing is lost where this is left out. */
  readonly close: () => Promise<void>;
}

/** The state of a stack that has none yet. */
export function emptyState(lineage: string, account: string): State {
  return { format: 1, lineage, serial: 0, account, salt: randomBytes(16).toString('base64url'), entries: {} };
}
