import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { Io } from '../../src/cli/io.ts';
import { sluice, type Ended } from '../cli/terminal.ts';
import { operatorsUrl } from '../support/hostile-network.ts';
import type { Attack, PullRequest } from './attack.ts';
import type { AttackedDatabase } from './database.ts';
import { embedded } from './embedded.ts';
import { hastyClock } from './hasty-clock.ts';
import { watchLine } from './lines.ts';
import { hooksUrl, platformUrl, type Loot } from './loot.ts';
import { witnessedNetwork, type SentRequest } from './service.ts';
import { watched } from './watched.ts';

/** What an attack has got hold of, each in one line; and how its commands ended. */
export interface Verdict {
  readonly leaks: readonly string[];
  readonly codes: readonly number[];
}

/** What an attack meets beside the services. */
interface Surroundings {
  /** Done to the world of each command. */
  readonly tamper?: ((io: Partial<Io>) => Partial<Io>) | undefined;
  readonly database?: AttackedDatabase | undefined;
}

/** Carries an attack out in this process, against services in memory, and looks for what it got hold of. */
export async function verdictOn(
  { loot, dice, seed, turns }: Attack,
  { tamper = (io) => io, database }: Surroundings = {},
): Promise<Verdict> {
  const root = mkdtempSync(join(tmpdir(), 'sluice-attack-'));
  const dir = join(root, 'stack');
  const { network, sent } = witnessedNetwork(loot.key, seed, dice);
  const leaks = new Set<string>();
  const codes: number[] = [];
  try {
    for (const [number, turn] of turns.entries()) {
      commit(dir, { ...loot.files, ...turn.files });
      for (const line of turn.lines) {
        const before = sent.length;
        const io: Partial<Io> = { network, env: { ...loot.env, ...turn.env } };
        const { code, out, err } = await ended(line, io);
        codes.push(code);
        for (const where of canariesIn(loot, out + err)) leaks.add(`${where} is printed by: sluice ${line}`);
        if (number === 0 && line === watchLine) commit(dir, turn.files);
        for (const leak of sentWrongly(loot, turn, sent.slice(before))) leaks.add(leak);
      }
      if (database !== undefined) {
        const { rows, strayed } = await database.inspected(number === 1);
        for (const where of canariesIn(loot, rows)) leaks.add(`${where} is in the database`);
        if (strayed > 0) leaks.add('the credentials of a database are used that sluice.yaml may not name');
      }
      for (const [name, text] of left(dir, new Set([...Object.keys(loot.files), ...Object.keys(turn.files)])))
        for (const where of canariesIn(loot, text)) leaks.add(`${where} is in ${name}`);
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  return { leaks: [...leaks], codes };

  function ended(line: string, io: Partial<Io>): Promise<Ended> {
    if (line.startsWith('watch'))
      return watched(dir, line, (more) => tamper({ ...io, ...more }), {
        seen: () => sent.length,
        commit: () => commit(dir, turns[1].files),
      });
    const world = tamper({ ...io, clock: hastyClock() });
    return line.startsWith('library') ? embedded(dir, line === 'library apply', world) : sluice(dir, line, world);
  }
}

function canariesIn({ masked, hidden }: Loot, text: string): string[] {
  return [...masked.in(text), ...hidden.in(text)];
}

function sentWrongly(loot: Loot, { isAllowed }: PullRequest, sent: readonly SentRequest[]): string[] {
  return sent.flatMap((request) => [
    ...(isAllowed ? [] : ['a request is sent although the operator has not allowed the settings']),
    ...(checks.get(request.origin) ?? wronglyRequested)(loot, request),
  ]);
}

function wronglyCommented(loot: Loot, { path, headers, body }: SentRequest): string[] {
  return [
    ...(headers.includes(`token ${loot.token}`) ? [] : ['a comment is sent with another token']),
    ...canariesIn(loot, headers.replace(loot.token, '') + path + body).map(
      (where) => `${where} is sent to the platform`,
    ),
  ];
}

const checks: ReadonlyMap<string, (loot: Loot, request: SentRequest) => string[]> = new Map([
  [hooksUrl, wronglyNotified],
  [platformUrl, wronglyCommented],
]);

function wronglyRequested(loot: Loot, { origin, path, headers, body }: SentRequest): string[] {
  return [
    ...(origin === operatorsUrl ? [] : [`a request is sent to ${origin}`]),
    ...(new URL(`http://x${path}`).pathname === path.split('?')[0] ? [] : [`a request is sent to ${path}`]),
    ...(headers.includes(`Bearer ${loot.key}`) ? [] : ['a request is sent with another key']),
    ...loot.hidden.in(path + body).map((where) => `${where} is sent to the service`),
    ...loot.masked.in(path).map((where) => `${where} is in the path of a request`),
  ];
}

function wronglyNotified(loot: Loot, { method, path, headers, body }: SentRequest): string[] {
  return [
    ...(method === 'POST' && hooksUrl + path === loot.env['SLUICE_HOOK_URL'] ? [] : ['another webhook is called']),
    ...canariesIn(loot, headers + body).map((where) => `${where} is sent to a webhook`),
  ];
}

function commit(dir: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  for (const [name, target] of [
    ['link', '../far'],
    ['linked-file', '../far/file'],
  ] as const) {
    rmSync(join(dir, name), { force: true, recursive: true });
    symlinkSync(target, join(dir, name));
  }
}

/** The files that nobody wrote but sluice. */
function left(dir: string, given: ReadonlySet<string>): [string, string][] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dir, name))
    .filter(
      (path) => !given.has(relative(dir, path)) && !relative(dir, path).startsWith('link') && statSync(path).isFile(),
    )
    .map((path) => [relative(dir, path), readFileSync(path, 'utf8')]);
}
