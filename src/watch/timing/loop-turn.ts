import { setTimeout } from 'node:timers/promises';

/** Lets heartbeats, requests and signals take their turn between two long computations. */
export async function loopTurn(): Promise<void> {
  await setTimeout(0);
}
