/** Runs tasks in the given order, at most so many at once. After the first failure, no other task is started. */
export function limited(most: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  let failure: { readonly error: unknown } | undefined;

  return async (task) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      if (failure !== undefined) throw failure.error;
      return await task();
    } catch (error) {
      failure ??= { error };
      throw error;
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
