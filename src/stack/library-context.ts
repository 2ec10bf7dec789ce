import { resolve } from 'node:path';
import about from '../../package.json' with { type: 'json' };
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { LogLevel } from '../diagnostics/log.ts';
import type { StackContext } from './stack-context.ts';

/** What a program that embeds sluice provides to open or watch a stack. */
export interface LibraryOptions {
  /** The directory of `sluice.yaml`, or one below it. */
  readonly dir: string;
  /** Environment variables, such as `process.env`: the API key and the settings that override `sluice.yaml`. Nothing else is read from the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Once it aborts, no new request is started; requests in progress are completed. */
  readonly signal?: AbortSignal;
  /** Requests in progress at the same time; 10 by default. */
  readonly parallelism?: number;
  /** Receives log lines, which contain no secrets. */
  readonly onLog?: (level: LogLevel, text: string) => void;
  /** Receives warnings and notes about manifests and settings. Errors are thrown as `InvalidInput`. */
  readonly onDiagnostics?: (diagnostics: readonly Diagnostic[]) => void;
}

/** The context of a stack that a program has opened: no arguments, no terminal, no standard input. */
export function libraryContext({ dir, env, signal, onLog, onDiagnostics }: LibraryOptions): StackContext {
  return {
    io: {
      cwd: resolve(dir),
      env,
      stdin: () => Promise.resolve(Buffer.alloc(0)),
      terminal: { err: false },
      signal: signal ?? new AbortController().signal,
    },
    flags: {},
    isLibrary: true,
    version: about.version,
    dir: undefined,
    log: onLog ?? (() => undefined),
    report: (diagnostics) => Promise.resolve(diagnostics.length > 0 ? onDiagnostics?.(diagnostics) : undefined),
    progress: () => undefined,
  };
}
