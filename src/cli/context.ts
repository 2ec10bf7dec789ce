import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { jsonText } from '../render/text/json-text.ts';
import { ansi, plain, type Palette } from '../render/text/palette.ts';
import { yamlText } from '../render/text/yaml-text.ts';
import { isPipeline } from '../stack/is-pipeline.ts';
import type { Io } from './io.ts';
import { liveLine, type LiveLine } from './live-line.ts';
import { statusLine } from './status-line.ts';
import { logLevels, type LogLevel } from '../diagnostics/log.ts';
import { UsageError } from '../stack/usage-error.ts';

/** How results can be printed; the last two by some commands only. */
export type OutputFormat = 'text' | 'json' | 'yaml' | 'markdown' | 'sarif';

/** Flags that every command takes. */
export interface GlobalFlags {
  /** The directory to look for the stack from. */
  readonly C?: string;
  readonly format?: OutputFormat;
  /** False for --no-color. */
  readonly color: boolean;
  readonly logLevel?: LogLevel;
  /** Before SLUICE_PROXY and `api.proxy`. */
  readonly proxy?: string;
  /** Before SLUICE_CA_FILE and `api.ca_file`. */
  readonly caFile?: string;
}

/** What every command has at hand: the world, and how to speak to it. */
export interface Context {
  readonly io: Io;
  readonly version: string;
  /** What the command line says about the network. */
  readonly flags: Pick<GlobalFlags, 'proxy' | 'caFile'>;
  /** Where to look for the stack from, if not from where the command runs. */
  readonly dir: string | undefined;
  /** The result is one document, JSON or the same as YAML, and not text for people. */
  readonly json: boolean;
  /** For standard output. */
  readonly palette: Palette;
  readonly errPalette: Palette;
  /** Columns of standard output, where it is a terminal. */
  readonly width: number | undefined;
  /** Colour and width of the result, as renderers take them. */
  readonly layout: { readonly palette: Palette; readonly width?: number };
  /** A person is there to be asked. */
  readonly canAsk: boolean;
  readonly logs: (level: LogLevel) => boolean;
  /** What is under way, on a terminal; what is said beside the result goes above it. */
  readonly live: LiveLine;
  /** One line that says what is under way; an empty text removes it. */
  readonly progress: (text: string) => void;
  /** Says something beside the result. */
  readonly log: (level: LogLevel, text: string) => void;
  readonly format: OutputFormat;
  /** The result, once: text for people, or the value as the one document. */
  readonly result: (text: () => string, value: () => unknown) => void;
  /** Warnings and notes. */
  readonly report: (diagnostics: readonly Diagnostic[]) => Promise<void>;
}

/** Makes the context of one command from its flags and the environment. */
export function makeContext(io: Io, version: string, flags: GlobalFlags): Context {
  const { env, terminal } = io;
  const mayColour = flags.color && !isSet(env['NO_COLOR']) && env['TERM'] !== 'dumb';
  const json = flags.format === 'json' || flags.format === 'yaml' || flags.format === 'sarif';
  const documentText = flags.format === 'yaml' ? yamlText : jsonText;
  const level = logLevels.indexOf(flags.logLevel ?? levelFrom(env['SLUICE_LOG']));
  const logs = (asked: LogLevel): boolean => logLevels.indexOf(asked) <= level;
  const palette = mayColour && terminal.out ? ansi : plain;
  const width = terminal.out ? terminal.columns : undefined;
  const errPalette = mayColour && terminal.err ? ansi : plain;
  const live = liveLine(io.err, terminal.err);
  return {
    io,
    version,
    flags,
    dir: flags.C,
    json,
    format: flags.format ?? 'text',
    palette,
    errPalette,
    width,
    layout: { palette, ...(width === undefined ? {} : { width }) },
    canAsk: terminal.in && terminal.err && !isPipeline(env) && !json && flags.format !== 'markdown',
    logs,
    live,
    progress: statusLine(live, !json && logs('info'), errPalette),
    log: (asked, text) => {
      if (logs(asked)) live.say(`${text}\n`);
    },
    result: (text, value) => io.out(json ? documentText(value()) : text()),
    report: async (diagnostics) => {
      const told = diagnostics.filter(({ severity }) => logs(severity === 'note' ? 'info' : 'warn'));
      if (told.length === 0) return;
      const { diagnosticsText } = await import('../render/diagnostics/diagnostics-text.ts');
      live.say(diagnosticsText(told));
    },
  };
}

function levelFrom(text: string | undefined): LogLevel {
  if (!isSet(text)) return 'info';
  const level = logLevels.find((known) => known === text);
  if (level === undefined) throw new UsageError(`SLUICE_LOG must be one of ${logLevels.join(', ')}`);
  return level;
}

function isSet(text: string | undefined): boolean {
  return text !== undefined && text !== '';
}
