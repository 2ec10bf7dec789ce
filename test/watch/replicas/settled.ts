// Timers are those of the simulation, or watch over what is listed anyway.
const ignored = 'Timeout';
const quietTurns = 3;
const patienceMs = 600_000;

/** Resolves once this process waits for no files, other programs or threads beyond those of now. */
export function settledSinceNow(): () => Promise<void> {
  const before = countActive();
  const busy = (): string[] => [...countActive()].flatMap(([name, n]) => (n > (before.get(name) ?? 0) ? [name] : []));
  return async () => {
    const since = Date.now();
    for (let quiet = 0; quiet < quietTurns;) {
      await new Promise((resolve) => setImmediate(resolve));
      const waitsFor = busy();
      quiet = waitsFor.length > 0 ? 0 : quiet + 1;
      if (waitsFor.length === 0) continue;
      if (Date.now() - since > patienceMs)
        throw new Error(`the work does not end: it waits for ${waitsFor.join(', ')}`);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  };
}

function countActive(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of process.getActiveResourcesInfo())
    if (name !== ignored) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
