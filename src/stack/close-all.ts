/** Closes one after the other, also after one that cannot be closed; then throws the first error. */
export async function closeAll(...closes: readonly (() => Promise<void> | undefined)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const close of closes)
    try {
      await close();
    } catch (error) {
      errors.push(error);
    }
  if (errors.length > 0) throw errors[0];
}
