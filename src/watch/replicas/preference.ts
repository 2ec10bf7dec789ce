import { hash } from 'node:crypto';

/** Of several replicas, the one that a stack belongs to first (rendezvous hashing): all replicas compute the same, and one that joins or leaves changes it for few stacks. */
export function preferredFor(stack: string, replicas: readonly string[]): string | undefined {
  return replicas.reduce<string | undefined>(
    (best, one) => (best === undefined || preference(one, stack) > preference(best, stack) ? one : best),
    undefined,
  );
}

/** How strongly a replica prefers a stack, as text that is compared. */
export function preference(replica: string, stack: string): string {
  return hash('sha256', `${replica}\n${stack}`, 'hex');
}
