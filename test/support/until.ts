const everyMs = 20;
const mostMs = 120_000;

/** Resolves once something is so, which a test waits for; fails if it never is. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < mostMs; waited += everyMs) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  throw new Error(`${isSo.toString()} never becomes true`);
}
