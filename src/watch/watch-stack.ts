import type { LogFields, LogLevel } from '../diagnostics/log.ts';
import type { WatchStatus } from '../model/status/watch-status.ts';
import { checkOptions, libraryOptionTypes, optionTypes } from '../stack/check-options.ts';
import { libraryContext, type LibraryOptions } from '../stack/library-context.ts';
import { present } from '../model/present.ts';

/** How a program watches a stack, in addition to the `watch` settings in `sluice.yaml`. */
export interface WatchStackOptions extends Omit<LibraryOptions, 'onLog'> {
  /** Stops the watch: requests in progress are completed, then the lock is released. */
  readonly signal: AbortSignal;
  /** The address of the status page, `host:port`; false: no status page. By default `watch.listen` of `sluice.yaml`. */
  readonly listen?: string | false;
  /** The address of a listener for probes alone, `host:port`; false: none. By default `watch.listen_probes` of `sluice.yaml`. */
  readonly listenProbes?: string | false;
  /** Poll the files at intervals, for file systems without file events. */
  readonly poll?: boolean;
  /** Receives the log: the name of the event, the message and fields without secrets. */
  readonly onLog?: (level: LogLevel, event: string, message: string, fields?: LogFields) => void;
  /** Receives the status whenever it changes. */
  readonly onStatus?: (status: WatchStatus) => void;
}

/** Reconciles the account with the manifests of a directory until the signal aborts, with the guarantees of `sluice watch`. */
export async function watchStack(given: WatchStackOptions): Promise<void> {
  checkOptions('watchStack', given, watchTypes);
  const { onLog, ...options } = given;
  const { parallelism = 10, listen, listenProbes, poll, onStatus } = options;
  const { runWatch } = await import('./run-watch.ts');
  await runWatch(libraryContext(options), {
    parallelism,
    log: onLog ?? (() => undefined),
    ...present({ listen, listenProbes, poll, onStatus }),
  });
}

const watchTypes = {
  ...libraryOptionTypes,
  signal: { ...optionTypes.signal, isRequired: true },
  listen: optionTypes.address,
  listenProbes: optionTypes.address,
  poll: optionTypes.boolean,
  onStatus: optionTypes.callback,
};
