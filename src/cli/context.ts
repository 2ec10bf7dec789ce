import type { Format } from '../render/formats/format.ts';
import { textFormat, type FormatName } from '../render/formats/formats.ts';
import { ansi, plain, type Palette } from '../render/text/palette.ts';
import { isPipeline } from '../stack/settings/pipeline-run-url.ts';
import type { StackContext } from '../stack/stack-context.ts';
import { exitCodes } from './exit-code.ts';
import { tuneForManifests } from './v8-settings.ts';
import { isSet, type Io } from './io.ts';
import { liveLine, type LiveLine } from './output/live-line.ts';
import { logLevels, type LogLevel } from '../diagnostics/log.ts';
import { UsageError } from '../stack/usage-error.ts';

/** Flags that every command takes. */
export type GlobalFlags = StackContext['flags'] & {
  readonly C?: string;
  readonly format?: FormatName;
  readonly color: boolean;
  readonly logLevel?: LogLevel;
};

/** What every command works with: the process, the global flags, and where its output is written. */
export interface Context extends StackContext {
  readonly io: Io;
  /** For standard output. */
  readonly palette: Palette;
  readonly errPalette: Palette;
  /** Colour and, on a terminal, width of the result, as renderers take them. */
  readonly layout: { readonly palette: Palette; readonly width?: number };
  /** There is a terminal to ask on. */
  readonly canAsk: boolean;
  readonly logs: (level: LogLevel) => boolean;
  /** The progress line of a terminal; log lines are printed above it. */
  readonly live: LiveLine;
  readonly format: Format;
  /** Prints the result, once: as the format renders this result, otherwise as it renders any: text for people, or a value. Returns the exit code of success. */
  readonly result: (
    text: () => string,
    value: () => unknown,
    render?: (format: Format) => string | undefined,
  ) => number;
  /** The same of a result that is cheap to render, as text for people or as facts in a document. */
  readonly done: (this: Pick<Context, 'result'>, text: string, facts: object) => number;
}

/** Creates the context of one command from its flags and the environment. */
export function makeContext(io: Io, version: string, flags: GlobalFlags, format = textFormat): Context {
  const { env, terminal } = io;
  const mayColour = flags.color && !isSet(env['NO_COLOR']) && env['TERM'] !== 'dumb';
  const level = logLevels.indexOf(flags.logLevel ?? levelFrom(env['SLUICE_LOG']));
  const logs = (asked: LogLevel): boolean => logLevels.indexOf(asked) <= level;
  const palette = mayColour && terminal.out ? ansi : plain;
  const width = terminal.out ? terminal.columns : undefined;
  const errPalette = mayColour && terminal.err ? ansi : plain;
  const live = liveLine(io.err, terminal.err && env['TERM'] !== 'dumb');
  let hasResult = false;
  return {
    io,
    version,
    flags,
    dir: flags.C,
    format,
    palette,
    errPalette,
    layout: { palette, ...(width === undefined ? {} : { width }) },
    canAsk: terminal.in && terminal.err && !isPipeline(env) && format.isInteractive,
    logs,
    live,
    progress: statusLine(live, format.isInteractive && logs('info'), errPalette),
    onManifests: tuneForManifests,
    log: (asked, text) => {
      if (logs(asked)) live.print(`${text}\n`);
    },
    result: (text, value, render) => {
      // What fails after the result is on standard error alone: standard output stays one document.
      if (!hasResult) io.out(render?.(format) ?? format.result?.(text, value) ?? '');
      hasResult = true;
      return exitCodes.done;
    },
    done(text, facts) {
      return this.result(
        () => text,
        () => ({ format_version: '1.0', ...facts }),
      );
    },
    report: async (diagnostics) => {
      const shown = diagnostics.filter(({ severity }) => logs(severity === 'note' ? 'info' : 'warn'));
      if (shown.length === 0) return;
      const { diagnosticsText } = await import('../render/diagnostics/diagnostics-text.ts');
      live.print(diagnosticsText(shown));
    },
  };
}

function levelFrom(text: string | undefined): LogLevel {
  if (!isSet(text)) return 'info';
  const level = logLevels.find((known) => known === text);
  if (level === undefined) throw new UsageError(`SLUICE_LOG must be one of ${logLevels.join(', ')}`);
  return level;
}

function statusLine(live: LiveLine, isShown: boolean, { quiet }: Pick<Palette, 'quiet'>): (text: string) => void {
  let shown = 0;
  return (text) => {
    // A line for each of thousands would cost more than the work it reports.
    if (text === '') live.show('');
    else if (isShown && shown++ % 20 === 0) live.show(quiet(text));
  };
}
