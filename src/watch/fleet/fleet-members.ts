import { stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { yieldToLoop } from '../../manifest/read/yield-to-loop.ts';
import { readStackFile, stackFileName } from '../../manifest/stack-file/stack-file.ts';
import type { FleetStatus } from '../../model/status/fleet-status.ts';
import { present } from '../../model/present.ts';
import { findStacks } from '../../stack/all/find-stacks.ts';
import type { Ports } from '../ports.ts';
import type { FleetMember, FleetOptions } from './fleet-member.ts';

/** What the stacks of a fleet need of it. */
export interface FleetMembersOptions {
  readonly dir: string;
  readonly now: () => number;
  readonly log: Ports['log'];
  /** Starts to watch a stack. */
  readonly start: (path: string, version: string, claim: FleetOptions['claim']) => FleetMember;
  /** Called once a stack has been let go. */
  readonly onLeft: (path: string) => void;
}

/** The stacks that a fleet watches, by path. */
export interface FleetMembers {
  readonly all: ReadonlyMap<string, FleetMember>;
  /** Starts the stacks that are new in the directory, and lets go of those that are gone. */
  readonly search: () => Promise<void>;
  /** When and how the last search ended. */
  readonly searched: () => Pick<FleetStatus, 'lastSearch' | 'searchFailure'>;
  /** Of the stacks with the same variable for their key as this one, which identifies the account for all replicas, the share that this one has: from 0 to 1. */
  readonly shareOfAccount: (path: string) => number;
  /** Resolves once all have been let go. */
  readonly stop: () => Promise<void>;
}

/** Begins with none. */
export function fleetMembers({ dir, now, log, start, onLeft }: FleetMembersOptions): FleetMembers {
  const members = new Map<string, FleetMember>();
  const leaving = new Set<Promise<void>>();
  const ids = new Map<string, string>();
  const accounts = new Map<string, string>();
  let lastSearch: number | undefined;
  let searchFailure: string | undefined;

  async function search(): Promise<void> {
    const { stacks, failure } = await searchStacks(dir);
    if (failure !== undefined && failure !== searchFailure)
      log('warn', 'search', `the search for stacks failed: ${failure}`);
    searchFailure = failure;
    if (failure === undefined) lastSearch = now();
    // What a failed search did not find may still exist.
    const gone = failure === undefined ? [...members.keys()].filter((path) => !stacks.has(path)) : [];
    for (const path of gone) letGo(path);
    const found = [...stacks].filter(([path]) => !members.has(path));
    // The ids of all are known before the first one starts, so that of two copies none does.
    const pause = yieldToLoop();
    for (const [path] of found) {
      await pause();
      const settings = readStackFile(join(dir, path, stackFileName)).file?.settings;
      if (settings !== undefined) ids.set(path, settings.stack.id);
      accounts.set(path, settings?.api.key.from_env ?? '');
    }
    for (const [path, version] of stacks) members.get(path)?.fileSeen(version);
    for (const [path, version] of found) {
      log('info', 'found', `found the stack ${path}`, { path });
      members.set(path, start(path, version, claim));
    }
  }

  function claim(path: string, id: string): string | undefined {
    ids.set(path, id);
    return [...ids].find(([other, one]) => one === id && other !== path)?.[0];
  }

  function letGo(path: string): void {
    log('info', 'removed', `${path} is no longer a stack: sluice stops watching it and deletes none of its resources`, {
      path,
    });
    const member = members.get(path);
    members.delete(path);
    accounts.delete(path);
    const left = (member?.stop() ?? Promise.resolve()).finally(() => {
      leaving.delete(left);
      if (members.has(path)) return;
      ids.delete(path);
      onLeft(path);
    });
    leaving.add(left);
  }

  return {
    all: members,
    search,
    searched: () => present({ lastSearch, searchFailure }),
    shareOfAccount: (path) => {
      const account = accounts.get(path);
      const all = [...accounts].filter(([, other]) => other === account);
      const own = all.filter(([other]) => members.get(other)?.divided.claim() === 'holds');
      return own.length / Math.max(1, all.length);
    },
    stop: async () => {
      await Promise.all([...members.values()].map((member) => member.stop()));
      await Promise.all(leaving);
    },
  };
}

interface FoundStacks {
  /** By path from the directory, `.` for the directory itself: a text that changes when the stack file does. */
  readonly stacks: ReadonlyMap<string, string>;
  /** Why the tree could not be searched: then any stack may still exist. */
  readonly failure?: string;
}

/** Finds every stack at or below a directory, in natural order. A large tree takes long, and the stacks that are watched go on meanwhile. */
export async function searchStacks(dir: string): Promise<FoundStacks> {
  try {
    const stacks = new Map<string, string>();
    for (const found of await findStacks(dir)) {
      const { mtimeMs, size, ino } = await stat(join(found, stackFileName));
      stacks.set(relative(dir, found) || '.', `${String(mtimeMs)} ${String(size)} ${String(ino)}`);
    }
    return { stacks };
  } catch (error) {
    return { stacks: new Map(), failure: error instanceof Error ? error.message : String(error) };
  }
}
