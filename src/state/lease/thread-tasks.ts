import { parentPort } from 'node:worker_threads';

/** What the main thread says about the task of an id. */
export type ThreadMessage = { readonly id: number } & TaskNews;

type TaskNews = { readonly start: unknown } | { readonly said: unknown } | { readonly end: true };

/** A task as its thread does it. */
export interface TaskInThread<Said> {
  readonly hear: (said: Said) => void;
  readonly end: () => Promise<void>;
}

/** Does what the main thread asks for, in a thread of its own, and says when a task has ended. A task that fails affects no other. */
export function serveTasks<Said>(begin: (start: unknown) => Promise<TaskInThread<Said> | undefined>): void {
  const tasks = new Map<number, Promise<TaskInThread<Said> | undefined>>();
  parentPort?.on('message', (message: ThreadMessage) => {
    const { id } = message;
    if ('start' in message)
      tasks.set(
        id,
        begin(message.start).catch(() => undefined),
      );
    else if ('said' in message) void tasks.get(id)?.then((task) => task?.hear(message.said as Said));
    else
      void tasks
        .get(id)
        ?.then((task) => task?.end())
        .catch(() => undefined)
        .then(() => {
          tasks.delete(id);
          parentPort?.postMessage(id);
        });
  });
}
