import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

/** A network whose answers arrive while this thread is stopped. */
export interface StoppedNetwork {
  readonly port: number;
  /** Stops this thread once the next answer is on its way, until it has arrived and so much more time is over. */
  readonly stopThroughAnswer: (ms: number) => Promise<void>;
}

const slots = { held: 0, mayAnswer: 1, answered: 2 } as const;

// A proxy in a thread of its own, which goes on while this one is stopped.
const proxy = `
const { connect, createServer } = require('node:net');
const { parentPort, workerData: { shared, target, slots } } = require('node:worker_threads');
const server = createServer((front) => {
  const back = connect(target, '127.0.0.1');
  for (const socket of [front, back]) socket.on('error', () => {}).on('close', () => { front.destroy(); back.destroy(); });
  front.on('data', (chunk) => back.write(chunk));
  back.on('data', (chunk) => {
    Atomics.store(shared, slots.held, 1);
    Atomics.wait(shared, slots.mayAnswer, 0);
    front.write(chunk, () => {
      Atomics.store(shared, slots.answered, 1);
      Atomics.notify(shared, slots.answered);
    });
  });
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

/** Starts such a network in front of a port; it ends with the test. */
export async function stoppedNetwork(target: number): Promise<StoppedNetwork> {
  const shared = new Int32Array(new SharedArrayBuffer(4 * Object.keys(slots).length));
  Atomics.store(shared, slots.mayAnswer, 1);
  const worker = new Worker(proxy, { eval: true, workerData: { shared, target, slots } });
  onTestFinished(async () => {
    Atomics.store(shared, slots.mayAnswer, 1);
    Atomics.notify(shared, slots.mayAnswer);
    await worker.terminate();
  });
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  return {
    port,
    stopThroughAnswer: async (ms) => {
      for (const slot of [slots.held, slots.mayAnswer, slots.answered]) Atomics.store(shared, slot, 0);
      while (Atomics.load(shared, slots.held) === 0) await new Promise((resolve) => setImmediate(resolve));
      Atomics.store(shared, slots.mayAnswer, 1);
      Atomics.notify(shared, slots.mayAnswer);
      Atomics.wait(shared, slots.answered, 0, 10_000);
      Atomics.wait(shared, slots.mayAnswer, 1, ms);
    },
  };
}
