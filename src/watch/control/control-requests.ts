import type { WatchStatus } from '../../model/status/watch-status.ts';

/** What people ask of a running watch, beside the document of pauses and approvals. */
export interface ControlRequests {
  /** Has the document of pauses and approvals read now. */
  readonly wake: () => void;
  /** Resolves at the next `wake`. */
  readonly woken: (signal: AbortSignal) => Promise<void>;
  /** Has the account refreshed now; resolves with the status once a reconciliation that begins from here on has ended. */
  readonly reconcile: () => Promise<WatchStatus>;
  /** Resolves once a reconciliation is asked for. */
  readonly asked: (signal: AbortSignal) => Promise<void>;
  /** Whoever has asked until now; to be answered when the reconciliation that begins has ended. */
  readonly take: () => ((status: WatchStatus) => void)[];
  /** Takes back whom an interrupted reconciliation cannot answer: the next one does, or the pause. */
  readonly giveBack: (asked: readonly ((status: WatchStatus) => void)[]) => void;
}

/** Makes the requests of a process; none at first. */
export function controlRequests(): ControlRequests {
  let waiting: ((status: WatchStatus) => void)[] = [];
  const [wakes, asks] = [signals(), signals()];
  return {
    wake: wakes.send,
    woken: wakes.next,
    reconcile: () =>
      new Promise((answer) => {
        waiting.push(answer);
        asks.send();
      }),
    asked: (signal) => (waiting.length > 0 ? Promise.resolve() : asks.next(signal)),
    take: () => {
      const taken = waiting;
      waiting = [];
      return taken;
    },
    giveBack: (asked) => {
      waiting = [...asked, ...waiting];
    },
  };
}

function signals(): { readonly send: () => void; readonly next: (signal: AbortSignal) => Promise<void> } {
  const listening = new Set<() => void>();
  return {
    send: () => {
      for (const each of [...listening]) each();
    },
    next: (signal) =>
      new Promise((done) => {
        const end = (): void => {
          listening.delete(end);
          signal.removeEventListener('abort', end);
          done();
        };
        if (signal.aborted) {
          done();
          return;
        }
        listening.add(end);
        signal.addEventListener('abort', end);
      }),
  };
}
