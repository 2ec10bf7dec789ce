import type { Answer } from '../answer.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Interceptor } from '../http/interceptor.ts';
import type { EmulatorWorld } from '../world.ts';
import { actorFaults } from './actor-faults.ts';
import { bodyFaults } from './body-faults.ts';
import { commitFaults } from './commit-faults.ts';
import { listFaults } from './list-faults.ts';
import { statusFaults } from './status-faults.ts';
import { transportFaults } from './transport-faults.ts';

/** Creates the behaviour of a mode from its detail. */
export type Mode = (detail: string | undefined) => Happening;

/** What happens to the requests that a fault concerns; some have to see the others as well. */
export type Happening =
  | Interceptor
  | {
      readonly happen: Interceptor;
      /** Called with every answer of the service, also to requests that the fault does not concern. */
      readonly observe: (exchange: Exchange, answer: Answer, world: EmulatorWorld) => void;
      /** Answers instead of the service also where the fault does not concern a request. */
      readonly meanwhile?: (exchange: Exchange) => Answer | undefined;
    };

/** Every way a request can go wrong, by its name. */
export const modes: Readonly<Record<string, Mode>> = {
  ...transportFaults,
  ...statusFaults,
  ...bodyFaults,
  ...listFaults,
  ...commitFaults,
  ...actorFaults,
};
