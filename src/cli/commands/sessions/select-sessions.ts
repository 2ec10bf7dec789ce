import { NotFound } from '../../../diagnostics/errors.ts';
import satisfies from 'semver/functions/satisfies.js';
import coerce from 'semver/functions/coerce.js';
import parse from 'semver/functions/parse.js';
import Range from 'semver/classes/range.js';
import type { Client } from '../../../api/client.ts';
import { isNotFound } from '../../../api/api-errors.ts';
import { pathSegment } from '../../../derive/wire/operations.ts';
import { tunnelSession } from '../../../kinds/views.ts';
import { limited } from '../../../refresh/limited.ts';
import { UsageError, mustBeIdArgument } from '../../../stack/usage-error.ts';
import { anyOf } from '../../../manifest/expand/matches-wildcard.ts';
import { sessionFrom, type Session } from './session.ts';
import { parsedObject } from '../../../model/json-object.ts';

/** Selects agents that match all filters. */
export interface SessionSelection {
  readonly region?: readonly string[];
  readonly os?: readonly string[];
  readonly version?: string;
  readonly credential?: readonly string[];
  readonly metadata?: readonly string[];
  readonly startedBefore?: string;
  readonly all?: boolean;
}

const filters = ['region', 'os', 'version', 'credential', 'metadata', 'startedBefore'] as const;

/** Refuses an empty or contradictory selection before any command is sent. */
export function requireSelection(ids: readonly string[], selection: SessionSelection): void {
  const isFiltered = ids.length > 0 || filters.some((name) => selection[name] !== undefined);
  if (selection.all === true && isFiltered)
    throw new UsageError('--all cannot be combined with ids or filters', 'remove --all, or remove the ids and filters');
  if (selection.all !== true && !isFiltered)
    throw new UsageError('no agents are selected', 'pass ids, filters such as --region us, or --all');
}

/** The selected agents, oldest session first. An unknown id is an error: its agent may have a new session. */
export async function selectSessions(
  client: Client,
  ids: readonly string[],
  selection: SessionSelection,
): Promise<readonly Session[]> {
  const fits = condition(selection);
  const all = ids.length > 0 ? await named(client, [...new Set(ids)]) : await onlineSessions(client);
  return all.filter(fits).sort(order);
}

/** Every agent that is online. */
export async function onlineSessions(client: Client): Promise<readonly Session[]> {
  const sessions: Session[] = [];
  for await (const item of client.list(tunnelSession.path, tunnelSession.listKey)) {
    const session = sessionFrom(item);
    if (session !== undefined) sessions.push(session);
  }
  return sessions;
}

async function named(client: Client, ids: readonly string[]): Promise<readonly Session[]> {
  const inTurn = limited(10);
  const found = await Promise.all(ids.map((id) => inTurn(() => sessionNamed(client, id))));
  const missing = ids.filter((_, index) => found[index] === undefined);
  if (missing.length === 0) return found.filter((session) => session !== undefined);
  throw new NotFound(
    'SESSION_NOT_FOUND',
    `no agent session ${missing.map((id) => JSON.stringify(id)).join(', ')} is online`,
    'the agent is offline or has a new session after a restart; run `sluice sessions list`',
  );
}

/** One agent by its session id; undefined if it is not online. */
export async function sessionNamed(client: Client, id: string): Promise<Session | undefined> {
  mustBeIdArgument(id);
  try {
    return sessionFrom(await client.get(`${tunnelSession.path}/${pathSegment(id)}`));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function condition(selection: SessionSelection): (session: Session) => boolean {
  const { version, startedBefore } = selection;
  const texts = (['region', 'os', 'credential'] as const).map((name) => ({ name, fits: anyOf(selection[name]) }));
  const range = version === undefined ? undefined : rangeOf(version);
  const before = startedBefore === undefined ? undefined : instantOf(startedBefore);
  return (session) =>
    texts.every(({ name, fits }) => fits(session[name])) &&
    (range === undefined || isWithin(session.version, range)) &&
    (before === undefined || Date.parse(session.startedAt) < before) &&
    (selection.metadata === undefined || selection.metadata.some((text) => hasMetadata(session.metadata, text)));
}

/** Metadata is text; if it is a JSON object, KEY=VALUE matches one of its keys. */
function hasMetadata(metadata: string, wanted: string): boolean {
  if (anyOf([wanted])(metadata)) return true;
  const at = wanted.indexOf('=');
  if (at < 1) return false;
  const value = new Map(Object.entries(parsedObject(metadata) ?? {})).get(wanted.slice(0, at));
  if (value === undefined) return false;
  return anyOf([wanted.slice(at + 1)])(typeof value === 'string' ? value : JSON.stringify(value));
}

function rangeOf(text: string): Range {
  try {
    return new Range(text, { includePrerelease: true });
  } catch {
    throw new UsageError(
      `--version: ${JSON.stringify(text)} is not a version range`,
      "use a range such as '<3.5.0', '3.x' or '>=3.1 <3.4'",
    );
  }
}

/** An incomplete version such as 3.4 counts as 3.4.0; an invalid version matches no range. */
function isWithin(version: string, range: Range): boolean {
  const read = parse(version) ?? coerce(version);
  return read !== null && satisfies(read, range, { includePrerelease: true });
}

function instantOf(text: string): number {
  const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(instant)) return instant;
  throw new UsageError(
    `--started-before: ${JSON.stringify(text)} is not a time`,
    'use an RFC 3339 time such as 2026-03-01T12:00:00Z',
  );
}

function order(a: Session, b: Session): number {
  return Date.parse(a.startedAt) - Date.parse(b.startedAt) || (a.id < b.id ? -1 : 1);
}
