/** What failed, in its own words; of several attempts, as where a host has two addresses, the first: all of them together have no words. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : 'the connection failed';
}
