import type { Client } from '../api/client.ts';
import type { Clock } from '../api/clock.ts';
import type { KindSet } from '../kinds/kind-set.ts';
import type { ApplyEvent } from '../model/outcome.ts';
import type { Plan } from '../model/plan/plan.ts';
import type { Pause } from '../model/sliced.ts';
import type { AppliedRevision, State } from '../model/state.ts';
import type { WriteFile } from './planned-file.ts';
import type { RecordChange } from './state-writer.ts';

/** What an apply needs. */
export interface ApplyOptions {
  readonly plan: Plan;
  readonly kinds: KindSet;
  readonly client: Client;
  readonly state: State;
  /** Makes a state durable; several calls may share one write. */
  readonly save: (state: State) => Promise<void>;
  /** Makes a change to the state durable, in place of `save`: for states that are too large to save whole each time. */
  readonly record?: RecordChange;
  /** Asked before anything new is started; once it says no, nothing is. */
  readonly mayStart?: () => boolean;
  readonly digest: (text: string) => string;
  readonly parallelism?: number;
  /** How many creations that start next have their intents recorded ahead; none where this is left out. */
  readonly lookAhead?: number;
  /** Once aborted, nothing new is started; what runs is finished and recorded. */
  readonly signal?: AbortSignal;
  /** Called once before anything is sent, if there is anything to do. */
  readonly onBegin?: () => Promise<void>;
  readonly onEvent?: (event: ApplyEvent) => void;
  /** Lets other work take its turn. */
  readonly pause?: Pause;
  readonly drawNonce?: () => string;
  /** Ids that were there before: none of them is what a creation made. */
  readonly seen?: ReadonlySet<string>;
  readonly clock?: Clock;
  /** The time of day that periods begin at, in milliseconds since 1970. */
  readonly now?: () => number;
  /** A watch applies: it plans and applies again by itself, so that no advice is to run a command for that. */
  readonly isRepeated?: boolean;
  /** Writes the files of the plan. */
  readonly writeFile?: WriteFile;
  /** What is applied once all of the plan is carried out. */
  readonly revision?: AppliedRevision;
  /** How long a request may still be carried out after its caller gave up, in milliseconds. */
  readonly lookUpDelayMs?: number;
}
