import type { Client } from '../api/client.ts';
import type { Clock } from '../api/clock.ts';
import type { KindSet } from '../kinds/kind.ts';
import type { Account } from '../model/actual.ts';
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
  readonly record: RecordChange;
  /** Called before each start; once it returns false, nothing new is started. */
  readonly mayStart?: () => boolean;
  readonly digest: (text: string) => string;
  readonly parallelism?: number;
  /** For how many of the next creations the intents are recorded ahead; by default none. */
  readonly lookAhead?: number;
  /** Once aborted, nothing new is started; running steps are finished and recorded. */
  readonly signal?: AbortSignal;
  /** Called once before the first request, if the plan changes anything. */
  readonly onBegin?: () => Promise<void>;
  readonly onEvent?: (event: ApplyEvent) => void;
  /** Lets other work of the process run. */
  readonly pause?: Pause;
  readonly drawNonce?: () => string;
  /** Ids that existed before the apply: a creation of this apply has none of them. */
  readonly seen?: ReadonlySet<string>;
  /** The account as it was refreshed: of what the plan leaves as it is, state may know nothing, or what no longer exists. */
  readonly account?: Pick<Account, 'ours' | 'complete' | 'deposed'>;
  readonly clock?: Clock;
  /** The time at which periods such as a validity begin, in milliseconds since 1970. */
  readonly now?: () => number;
  /** Set by a watch, which plans and applies again automatically: hints do not suggest to run a command for that. */
  readonly isRepeated?: boolean;
  /** Writes the files of the plan. */
  readonly writeFile?: WriteFile;
  /** The revision to record as applied once the whole plan is applied. */
  readonly revision?: AppliedRevision;
  /** How long a request may still be carried out after its caller gave up, in milliseconds. */
  readonly lookUpDelayMs?: number;
}
