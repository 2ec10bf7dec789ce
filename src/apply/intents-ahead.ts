/*
 * A remote store takes a round trip to make an intent durable, and a creation waits for that. So the intents of the next
 * creations are recorded while earlier requests run, many in one write. An intent whose creation is not sent is withdrawn;
 * after a crash, the next run looks up its nonce and finds nothing.
 */
import type { Address } from '../model/address.ts';
import type { Intent } from '../model/state.ts';
import type { StateWriter } from './state-writer.ts';

/** An intent that was recorded before its creation starts. */
export interface IntentAhead {
  readonly nonce: string;
  /** Resolves once it is durable. */
  readonly recorded: Promise<void>;
}

/** Records intents ahead. */
export class IntentsAhead {
  readonly #state: Pick<StateWriter, 'putIntent' | 'withdrawIntent'>;
  readonly #drawNonce: () => string;
  readonly #recorded = new Set<Address>();
  readonly #ahead = new Map<Address, IntentAhead>();

  constructor(state: Pick<StateWriter, 'putIntent' | 'withdrawIntent'>, drawNonce: () => string) {
    this.#state = state;
    this.#drawNonce = drawNonce;
  }

  /** Whether this is the first call for an address: an intent is recorded ahead at most once. */
  isNew(address: Address): boolean {
    if (this.#recorded.has(address)) return false;
    this.#recorded.add(address);
    return true;
  }

  /** Records the intent of a creation that can be looked up by its nonce. */
  record(address: Address, intent: Omit<Intent, 'nonces'>): void {
    const nonce = this.#drawNonce();
    const recorded = this.#state.putIntent(address, { ...intent, nonces: [nonce] });
    // The creation awaits `recorded` and reports the error.
    recorded.catch(() => undefined);
    this.#ahead.set(address, { nonce, recorded });
  }

  /** The intent of a creation that starts now, if it was recorded ahead. */
  take(address: Address): IntentAhead | undefined {
    const found = this.#ahead.get(address);
    this.#ahead.delete(address);
    return found;
  }

  /** Withdraws the intents of creations that were not started. */
  withdrawRest(): void {
    for (const address of this.#ahead.keys()) this.#state.withdrawIntent(address);
    this.#ahead.clear();
  }
}
