import { setFlagsFromString } from 'node:v8';

// Below this, a smaller heap costs more time than its memory is worth.
const manyManifests = 20_000;
const percentOfMany = 20;

/** Lets the heap of a large stack grow by less before it is collected: V8 would let it grow to twice what is alive. To be called before most of that is there. */
export function limitHeapGrowth(manifests: number): void {
  if (manifests >= manyManifests) setFlagsFromString(`--heap-growing-percent=${String(percentOfMany)}`);
}

/** Leaves the growth of the heap to V8. The program starts with a growth for commands that end soon; in a process that stays, V8 finds out how little is worth keeping. */
export function adaptHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=0');
}
