import type { LogFields, LogLevel } from '../../diagnostics/log.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { jsonLine } from '../text/json-text.ts';

/** One event. */
export interface LogEntry {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly level: LogLevel;
  /** One word that stays the same, such as `applied`. */
  readonly event: string;
  readonly message: string;
  readonly fields?: LogFields;
}

/** A log line for a person at a terminal. */
export function logText({ time, level, event, message, fields = {} }: LogEntry): string {
  const facts = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name}=${fieldText(value)}`],
  );
  return `${new Date(time).toISOString()} ${level.toUpperCase().padEnd(5)} ${safeText(event)}: ${safeText(message, longest)}${facts.join('')}\n`;
}

/** A log line for programs: one JSON object. */
export function logJson({ time, level, event, message, fields = {} }: LogEntry): string {
  // What every line has comes last, so that no field can stand in for it.
  const facts = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.slice(0, longest) : value,
  ]);
  return jsonLine({
    ...(Object.fromEntries(facts) as LogFields),
    time: new Date(time).toISOString(),
    level,
    event,
    message: message.slice(0, longest),
  });
}

const longest = 2_000;

function fieldText(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value);
  const safe = safeText(value, longest);
  return /^[\w./:@+-]+$/.test(safe) ? safe : JSON.stringify(safe);
}
