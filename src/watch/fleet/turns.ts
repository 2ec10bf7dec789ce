import type { Ports } from '../ports.ts';

interface Waiting {
  /** The number of the last turn of whoever waits; 0: none yet. */
  readonly last: number;
  readonly start: () => void;
}

/** Lets at most so many stacks reconcile at a time. The next is the one whose last turn is longest ago, so that none is kept from its turn. Each joins once. */
export function createTurns(most: number): { readonly join: () => Ports['takeTurn'] } {
  const waiting = new Set<Waiting>();
  let running = 0;
  let ended = 0;

  function startNext(): void {
    while (running < most && waiting.size > 0) {
      const next = [...waiting].reduce((a, b) => (b.last < a.last ? b : a));
      waiting.delete(next);
      running += 1;
      next.start();
    }
  }

  return {
    join: () => {
      let last = 0;
      return (signal) =>
        new Promise((resolve, reject) => {
          const leave = (): void => {
            waiting.delete(mine);
            reject(signal.reason as Error);
          };
          const mine: Waiting = {
            last,
            start: () => {
              signal.removeEventListener('abort', leave);
              resolve(() => {
                running -= 1;
                last = ++ended;
                startNext();
              });
            },
          };
          if (signal.aborted) {
            leave();
            return;
          }
          signal.addEventListener('abort', leave, { once: true });
          waiting.add(mine);
          startNext();
        });
    },
  };
}
