/*
 * Tasks in a thread, seen from the main thread. A process with many locks, such as a fleet, renews them all in one thread:
 * each thread costs 10 MiB.
 */
import { Worker } from 'node:worker_threads';
import { machineTime } from './lease-time.ts';
import type { TaskReport, ThreadMessage } from './thread-tasks.ts';
import { existsSync } from 'node:fs';

/** A task that a thread runs until it is ended. */
export interface ThreadTask<Notice> {
  readonly notify: (notice: Notice) => void;
  /** Resolves once it has ended, or its thread has failed, or it takes too long. */
  readonly end: () => Promise<void>;
}

interface TaskThread {
  readonly worker: Worker;
  /** By the id of a task: what to call with what it reports, and once it has ended. */
  readonly tasks: Map<number, { readonly report: (report: unknown) => void; readonly end: () => void }>;
}

const mostEndMs = 5_000;
const threads = new Map<string, TaskThread>();
let lastId = 0;

/** Starts a task in the thread of a program. The thread starts with its first task and ends after its last. */
export function startTask<Notice = never>(
  program: URL,
  start: object,
  onReport: (report: unknown) => void = () => undefined,
): ThreadTask<Notice> {
  const { worker, tasks } = threads.get(program.href) ?? startThread(program);
  const id = ++lastId;
  const ended = new Promise<void>((end) => tasks.set(id, { report: onReport, end }));
  const send = (message: ThreadMessage): void => worker.postMessage(message);
  send({ id, start });
  return {
    notify: (notice) => send({ id, notice }),
    end: async () => {
      send({ id, end: true });
      const waiting = new AbortController();
      await Promise.race([ended, machineTime.sleep(mostEndMs, waiting.signal).catch(() => undefined)]);
      waiting.abort();
    },
  };
}

function startThread(program: URL): TaskThread {
  const worker = new Worker(program, { env: {}, execArgv: [] });
  const thread: TaskThread = { worker, tasks: new Map() };
  const forget = (): void => {
    if (threads.get(program.href) === thread) threads.delete(program.href);
  };
  const failed = (): void => {
    forget();
    for (const { end } of thread.tasks.values()) end();
    thread.tasks.clear();
  };
  worker.unref();
  worker.on('error', failed);
  worker.on('exit', failed);
  worker.on('message', (message: TaskReport) => {
    const { id } = message;
    const task = thread.tasks.get(id);
    if ('report' in message) return task?.report(message.report);
    task?.end();
    thread.tasks.delete(id);
    if (thread.tasks.size > 0) return;
    forget();
    void worker.terminate();
  });
  threads.set(program.href, thread);
  return thread;
}

/** The program of a thread that the build puts beside its own; undefined where the program is not built. */
export function builtThread(name: string): URL | undefined {
  const url = new URL(`./${name}.cjs`, import.meta.url);
  return existsSync(url) ? url : undefined;
}
