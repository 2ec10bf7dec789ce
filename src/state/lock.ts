import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { dirname } from 'node:path';
import * as z from 'zod';
import { LockHeld } from '../diagnostics/errors.ts';
import { safeText } from '../diagnostics/safe-text.ts';
import { isAlive } from './is-alive.ts';

const holder = z.object({
  owner: z.string(),
  host: z.string(),
  pid: z.int().positive(),
  command: z.string(),
  started: z.string(),
  token: z.string(),
});

/** The right to be the only run that writes. */
export interface Lock {
  readonly release: () => Promise<void>;
}

/** Takes the lock, or says who has it. One left behind by a process of this machine that is gone is taken over. */
export async function acquireLock(path: string, command: string, now = new Date()): Promise<Lock> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const token = randomUUID();
  const ours = { owner: userName(), host: hostname(), pid: process.pid, command, started: now.toISOString(), token };
  for (let attempt = 0; attempt < 3; attempt++) {
    if (await create(path, JSON.stringify(ours))) return { release: () => release(path, token) };
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    if (!isAbandoned(text)) throw held(path, text);
    await remove(path, text);
  }
  throw new LockHeld('LOCK_HELD', `${path} is taken and given back all the time`, { hint: 'try again' });
}

async function create(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600, flush: true });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function release(path: string, token: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => '');
  if (read(text)?.token === token) await rm(path, { force: true });
}

// Of two that find the same abandoned lock, only one can rename it; a live lock moved by mistake is put back.
async function remove(path: string, text: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  const moved = await readFile(aside, 'utf8');
  await rm(aside, { force: true });
  if (moved !== text) await create(path, moved);
}

function isAbandoned(text: string): boolean {
  const by = read(text);
  return by?.host === hostname() && !isAlive(by.pid);
}

function held(path: string, text: string): LockHeld {
  const by = read(text);
  const who =
    by === undefined
      ? 'somebody'
      : `\`${safeText(by.command, 80)}\` of ${safeText(by.owner, 80)} on ${safeText(by.host, 80)} (process ${by.pid}, since ${safeText(by.started, 40)})`;
  return new LockHeld('LOCK_HELD', `${who} is at work on this stack`, {
    hint: `wait for it; if it is gone for certain, delete ${path}`,
  });
}

function read(text: string): z.infer<typeof holder> | undefined {
  try {
    return holder.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
