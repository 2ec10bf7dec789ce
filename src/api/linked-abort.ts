/** A signal that aborts with others, until it is released. */
export interface LinkedAbort {
  readonly signal: AbortSignal;
  readonly abort: () => void;
  /** Stops listening to the others, which may live for months. */
  readonly release: () => void;
}

/** Links a new signal to others. Node 20 keeps what `AbortSignal.any` makes for as long as the oldest of them lives, and loses `AbortSignal.timeout` in it to the garbage collection: nothing is ever aborted then. */
export function linkedAbort(...others: readonly AbortSignal[]): LinkedAbort {
  const own = new AbortController();
  const follow = ({ target }: Event): void => own.abort((target as AbortSignal).reason);
  for (const other of others) {
    if (other.aborted) own.abort(other.reason);
    else other.addEventListener('abort', follow, { once: true });
  }
  return {
    signal: own.signal,
    abort: () => own.abort(),
    release: () => {
      for (const other of others) other.removeEventListener('abort', follow);
    },
  };
}
