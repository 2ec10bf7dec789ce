import { parentPort } from 'node:worker_threads';

/** A message of the main thread about a task. */
export type ThreadMessage = { readonly id: number } & TaskNews;

/** A message of a thread about a task: what it reports, or that it has ended. */
export type TaskReport = { readonly id: number } & ({ readonly report: unknown } | { readonly ended: true });

type TaskNews = { readonly start: unknown } | { readonly notice: unknown } | { readonly end: true };

/** A task inside its thread. */
export interface TaskInThread<Notice> {
  readonly receive: (notice: Notice) => void;
  readonly end: () => Promise<void>;
}

/** Runs the tasks of the main thread in this thread, and reports when a task has ended. A task that fails affects no other. */
export function serveTasks<Notice>(
  begin: (start: unknown, report: (report: unknown) => void) => Promise<TaskInThread<Notice> | undefined>,
): void {
  const send = (message: TaskReport): void => parentPort?.postMessage(message);
  const tasks = new Map<number, Promise<TaskInThread<Notice> | undefined>>();
  parentPort?.on('message', (message: ThreadMessage) => {
    const { id } = message;
    if ('start' in message)
      tasks.set(
        id,
        begin(message.start, (report) => send({ id, report })).catch(() => undefined),
      );
    else if ('notice' in message) void tasks.get(id)?.then((task) => task?.receive(message.notice as Notice));
    else void end(id);
  });

  async function end(id: number): Promise<void> {
    const task = await tasks.get(id);
    await task?.end().catch(() => undefined);
    tasks.delete(id);
    send({ id, ended: true });
  }
}
