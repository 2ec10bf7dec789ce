import { isJsonObject, type JsonObject } from '../../../model/json-object.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { textOf } from '../../../kinds/value.ts';

/** An agent that is online, from its session. Absent fields are empty. */
export interface Session {
  readonly id: string;
  readonly version: string;
  readonly credential: string;
  readonly ip: string;
  readonly metadata: string;
  readonly os: string;
  readonly region: string;
  readonly startedAt: string;
  /** The response as received. */
  readonly answer: JsonObject;
}

/** Parses a session; undefined if it has no id. */
export function sessionFrom(value: unknown): Session | undefined {
  if (!isJsonObject(value)) return undefined;
  const { credential } = value;
  const id = textOf(value['id']);
  if (id === '') return undefined;
  return {
    id,
    version: textOf(value['agent_version']),
    credential: textOf(isJsonObject(credential) ? credential['id'] : credential),
    ip: textOf(value['ip']),
    metadata: textOf(value['metadata']),
    os: textOf(value['os']),
    region: textOf(value['region']),
    startedAt: textOf(value['started_at']),
    answer: value,
  };
}

/** Whether an agent runs on Windows, where it cannot be restarted through the service. */
export function isOnWindows({ os }: Session): boolean {
  return /windows/i.test(os);
}

/** The columns of a session in a table. */
export const sessionColumns = ['ID', 'VERSION', 'OS', 'REGION', 'IP', 'CREDENTIAL', 'STARTED', 'METADATA'] as const;

/** The values of a session for these columns, escaped. */
export function sessionRow(session: Session): readonly string[] {
  const { id, version, os, region, ip, credential, startedAt, metadata } = session;
  return [id, version, os, region, ip, credential, startedAt, metadata].map((text) => safeText(text, 60) || '-');
}
