/** Makes an action whose callers share a run: those who come while one is under way get the next, all the same one. */
export function grouped(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        running = action();
        return running;
      });
    return next;
  };
}
