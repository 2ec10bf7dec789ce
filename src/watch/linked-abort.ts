/** A signal that aborts with others, until it is released. */
export interface LinkedAbort {
  readonly signal: AbortSignal;
  readonly abort: () => void;
  /** Stops listening to the others, which may live for months. */
  readonly release: () => void;
}

/** Links a new signal to others. `AbortSignal.any` would do, but Node 20 keeps what it makes for as long as the oldest of them lives, and loses a timeout among them. */
export function linkedAbort(...others: readonly AbortSignal[]): LinkedAbort {
  const own = new AbortController();
  const abort = (): void => own.abort(others.find((other) => other.aborted)?.reason);
  for (const other of others) {
    if (other.aborted) abort();
    else other.addEventListener('abort', abort, { once: true });
  }
  return {
    signal: own.signal,
    abort,
    release: () => {
      for (const other of others) other.removeEventListener('abort', abort);
    },
  };
}
