import type { Dispatcher } from 'undici';
import type { Clock } from '../api/clock.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { LogLevel } from '../diagnostics/log.ts';
import type { AccountLimiters, AccountLists } from './service/account-limiters.ts';

/** What working with a stack needs of the world: the process, a test or a program that embeds sluice gives it. */
export interface StackContext {
  readonly io: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly stdin: () => Promise<Buffer>;
    /** Time, where it is not that of this machine. */
    readonly clock?: Clock;
    /** The time of day in milliseconds since 1970, where it is not that of this machine. */
    readonly now?: () => number;
    /** Whether standard error is a terminal, where progress is shown in place. */
    readonly terminal: { readonly err: boolean };
    /** Replaces the network, for tests. */
    readonly network?: Dispatcher;
    /** Aborted when the run is interrupted: by Ctrl-C, and by the loss of the terminal. */
    readonly signal: AbortSignal;
  };
  /** Settings that come before the environment and `sluice.yaml`. */
  readonly flags: {
    /** Takes precedence over SLUICE_PROXY and `api.proxy`. */
    readonly proxy?: string;
    /** Takes precedence over SLUICE_CA_FILE and `api.ca_file`. */
    readonly caFile?: string;
    /** Takes precedence over SLUICE_OPERATOR_POLICY. */
    readonly operatorPolicy?: string;
    /** Values of variables: `NAME=VALUE`; they take precedence over SLUICE_VAR_NAME and `vars`. */
    readonly var?: readonly string[];
  };
  /** Whether it follows commits for as long as it runs: then the repository decides as little as in a pipeline. */
  readonly isUnattended?: boolean;
  /** The other stacks of the process that it shares an account with: their requests and its own keep one rate, and what one lists, others use. */
  readonly fleet?: {
    readonly limiters: AccountLimiters;
    readonly lists: AccountLists;
    /** Other processes have some of its stacks, and this one may have them next. */
    readonly isDivided?: true;
  };
  /** A program calls it, which passes options and no flags. */
  readonly isLibrary?: true;
  /** The version of sluice, for the User-Agent header and saved plans. */
  readonly version: string;
  /** The directory from which `sluice.yaml` is searched upwards; by default the working directory. */
  readonly dir: string | undefined;
  readonly log: (level: LogLevel, text: string) => void;
  /** Receives warnings and notes. */
  readonly report: (diagnostics: readonly Diagnostic[]) => Promise<void>;
  /** Shows one line with what is in progress; an empty text removes it. */
  readonly progress: (text: string) => void;
  /** Told how many manifests have been read so far, once for each thousand. */
  readonly onManifests?: (count: number) => void;
}
