/*
 * The thread that sends the heartbeats of a lease, so that they go on while the main thread is busy. It tells the main
 * thread through shared memory when the last confirmed one was sent, and takes what the next one says from messages.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { openSharedStore } from '../shared-store.ts';
import type { HeartbeatMessage, HeartbeatStart } from './heartbeat-messages.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { machineTime } from '../lease/lease-time.ts';
import { LeaseWindow } from '../lease/lease-window.ts';

const { store: options, taken, timing, shared } = workerData as HeartbeatStart;

// Messages wait until somebody listens.
void openSharedStore(options).then((store) => {
  const window = new LeaseWindow(timing, machineTime, shared);
  const keeper = new LeaseKeeper({ store, taken, timing, time: machineTime, window });
  async function end(): Promise<void> {
    await keeper.release();
    await store.close().catch(() => undefined);
    parentPort?.postMessage('released');
    parentPort?.close();
  }
  parentPort?.on('message', (message: HeartbeatMessage) => {
    if ('note' in message) keeper.note(message.note);
    else void end();
  });
  keeper.start();
});
