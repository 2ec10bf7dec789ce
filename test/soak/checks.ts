import type { Ledger } from './ledger.ts';
import type { Life } from './replica.ts';
import type { Deed } from './service.ts';

/** One line of a log. */
export interface LogLine {
  readonly time: string;
  readonly level: string;
  readonly event: string;
  readonly message: string;
  readonly code?: string;
}

/** A line as JSON; undefined for anything else, a stack trace for instance. */
export function logLine(text: string): LogLine | undefined {
  try {
    const line = JSON.parse(text) as Partial<Record<keyof LogLine, unknown>>;
    const isWhole = ['time', 'level', 'event', 'message'].every(
      (name) => typeof line[name as keyof LogLine] === 'string',
    );
    return isWhole ? (line as LogLine) : undefined;
  } catch {
    return undefined;
  }
}

// A leader may act on what it read so long ago: it was stopped meanwhile, or the service took its time.
const windowMs = 45_000;

/** Deletions that no good revision of the last while asked for, and what was done to what is another's. */
export function* wrongDeeds(deeds: readonly Deed[], ledgers: Readonly<Record<string, Ledger>>): Iterable<string> {
  for (const { by, at, method, path, owner, isEnd, hasDuplicate } of deeds) {
    const stack = by.split('-')[0] ?? '';
    const ledger = ledgers[stack];
    if (ledger === undefined) continue;
    const reported = `${by}: ${method} ${path}`;
    if (owner?.stack !== stack) yield `${reported}, which is of ${owner?.stack ?? 'others'}`;
    else if (isEnd && !hasDuplicate) {
      const age = ledger.lackedUntil(owner.address, at);
      if (age === undefined) yield `${reported}: ${owner.address} was in every revision`;
      else if (age > windowMs) yield `${reported}: ${owner.address} was last left out ${Math.round(age / 1000)} s ago`;
    }
  }
}

/** The longest time between a revision that left something out and the deletion of it. */
export function oldestReason(deeds: readonly Deed[], ledgers: Readonly<Record<string, Ledger>>): number {
  const ages = deeds.map(({ by, at, owner, isEnd }) =>
    isEnd && owner !== undefined ? (ledgers[by.split('-')[0] ?? '']?.lackedUntil(owner.address, at) ?? 0) : 0,
  );
  return Math.max(0, ...ages);
}

// A request that was under way when its sender stopped or died is carried out so much later at most.
const lateMs = 5_000;

type Logged = Pick<Life, 'key' | 'lines'>;

/**
 * Writes of a process after another one had taken the lead. A process that is stopped between taking the lock and saying so
 * says it when the lock is another's already: that is no lead if it loses the lock without having written anything.
 */
export function* twoWriters(deeds: readonly Deed[], lives: readonly Logged[]): Iterable<string> {
  const losses = linesWith('"event":"lock-lost"', lives);
  const leads = leadsOf(lives).filter((lead) => {
    const lost = losses.find(({ key, at }) => key === lead.key && at >= lead.at);
    return lost === undefined || deeds.some(({ by, at }) => by === lead.key && at >= lead.at && at <= lost.at + lateMs);
  });
  for (const { by, at, method, path } of deeds) {
    if (!lives.some(({ key }) => key === by)) continue;
    const last = leads.findLast((lead) => lead.at <= at - lateMs);
    const own = leads.findLast((lead) => lead.key === by && lead.at <= at + lateMs);
    if (last !== undefined && last.key !== by && (own === undefined || own.at < last.at))
      yield `${by} wrote ${method} ${path} after ${last.key} had taken the lead`;
  }
}

/** Who took the lead when, as the logs say. */
export function leadsOf(lives: readonly Logged[]): { readonly at: number; readonly key: string }[] {
  return linesWith('this process is the leader', lives);
}

function linesWith(part: string, lives: readonly Logged[]): { readonly at: number; readonly key: string }[] {
  return lives
    .flatMap(({ key, lines }) =>
      lines.filter((line) => line.includes(part)).map((line) => ({ at: Date.parse(logLine(line)?.time ?? ''), key })),
    )
    .sort((a, b) => a.at - b.at);
}

/** Ends that nobody asked for or that the log does not explain, and lines that are none. */
export async function* badEnds(lives: readonly Life[]): AsyncIterable<string> {
  for (const life of lives) {
    const { key, signals, lines } = life;
    const { code } = await life.ended;
    // It was started just when there was no stack to be read, and said so.
    if (code === 8 && signals.length === 0 && /^error[:[]/.test(lines[0] ?? '')) continue;
    const reported = lines.map(logLine);
    for (const [at, line] of reported.entries())
      if (line === undefined) yield `${key} printed ${lines[at] ?? ''}`;
      else if (line.code === 'INTERNAL_ERROR') yield `${key}: ${line.message}`;
    if (signals.includes('SIGKILL')) {
      if (signals.includes('SIGTERM')) yield `${key} did not end within a minute of SIGTERM`;
      else if (code !== 'SIGKILL' && code !== 137) yield `${key} ended with ${code} on SIGKILL`;
    } else if (!signals.includes('SIGTERM')) yield `${key} ended by itself, with ${code}: ${lines.at(-1) ?? ''}`;
    else {
      if (code !== 130) yield `${key} ended with ${code} on SIGTERM`;
      if (reported.at(-1)?.event !== 'ended') yield `${key} ended without a word: ${lines.at(-1) ?? ''}`;
    }
  }
}
