import { setFlagsFromString } from 'node:v8';

// Below this, what V8 does by itself costs less time, and the memory does not matter.
const manyManifests = 20_000;
const growthPercent = 20;

/** Lets the heap of a large stack grow by less before it is collected: V8 would let it grow to twice what is alive. To be called before most of that is there. */
export function limitHeapGrowth(manifests: number): void {
  if (manifests >= manyManifests) setFlagsFromString(`--heap-growing-percent=${String(growthPercent)}`);
}
