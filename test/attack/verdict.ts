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
import { sluice } from '../cli/terminal.ts';
import { operatorsUrl } from '../support/hostile-network.ts';
import type { Attack } from './attack.ts';
import { witnessedNetwork, type SentRequest } from './service.ts';

/** What an attack has got hold of, each in one line; and how its commands ended. */
export interface Verdict {
  readonly leaks: readonly string[];
  readonly codes: readonly number[];
}

/** Carries an attack out in this process, against services in memory, and looks for what it got hold of. */
export async function verdictOn(
  attack: Attack,
  tamper: (io: Partial<Io>) => Partial<Io> = (io) => io,
): Promise<Verdict> {
  const { loot, dice, env, seed } = attack;
  const root = mkdtempSync(join(tmpdir(), 'sluice-attack-'));
  const dir = join(root, 'stack');
  const { network, sent } = witnessedNetwork(loot.key, seed, dice);
  const leaks = new Set<string>();
  const codes: number[] = [];
  try {
    for (const [turn, files] of attack.files.entries()) {
      write(dir, files);
      const given = new Set(Object.keys(files));
      for (const line of attack.lines[turn] ?? []) {
        const { code, out, err } = await sluice(dir, line, tamper({ network, env, clock: hastyClock() }));
        codes.push(code);
        for (const where of [...loot.masked.in(out + err), ...loot.hidden.in(out + err)])
          leaks.add(`${where} is printed by: sluice ${line}`);
      }
      for (const [name, text] of left(dir, given))
        for (const where of [...loot.masked.in(text), ...loot.hidden.in(text)]) leaks.add(`${where} is in ${name}`);
    }
    for (const leak of sentWrongly(attack, sent)) leaks.add(leak);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  return { leaks: [...leaks], codes };
}

function sentWrongly({ loot, isAllowed }: Attack, sent: readonly SentRequest[]): string[] {
  return sent.flatMap(({ origin, path, headers, body }) => [
    ...(isAllowed ? [] : ['a request is sent although the operator has not allowed the settings']),
    ...(origin === operatorsUrl ? [] : [`a request is sent to ${origin}`]),
    ...(new URL(`http://x${path}`).pathname === path.split('?')[0] ? [] : [`a request is sent to ${path}`]),
    ...(headers.includes(`Bearer ${loot.key}`) ? [] : ['a request is sent with another key']),
    ...loot.hidden.in(path + body).map((where) => `${where} is sent to the service`),
    ...loot.masked.in(path).map((where) => `${where} is in the path of a request`),
  ]);
}

function write(dir: string, files: Readonly<Record<string, string>>): void {
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

/** A clock on which nobody waits: time passes by sleeping alone. */
function hastyClock(): NonNullable<Io['clock']> {
  let now = 0;
  return {
    now: () => now,
    random: () => 0.5,
    sleep: (ms) => {
      now += ms;
      return new Promise((wake) => setImmediate(wake));
    },
  };
}
