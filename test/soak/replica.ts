import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { program } from '../support/processes.ts';
import { pause } from './pause.ts';

/** How a replica is started. */
export interface ReplicaSetup {
  readonly name: string;
  /** What it watches, and how. */
  readonly args: readonly string[];
  /** The environment of a life, which has a key of its own. */
  readonly env: (key: string) => Readonly<Record<string, string>>;
  /** Where all its lines go. */
  readonly logFile: string;
}

/** One process of `sluice watch`, from its start to its end. */
export interface Life {
  /** The key it speaks with, which is its own. */
  readonly key: string;
  /** In a process number space of its own, as in a container: others cannot see whether it runs. */
  readonly isContained: boolean;
  readonly lines: readonly string[];
  /** What we have sent it, if anything. */
  readonly signals: readonly NodeJS.Signals[];
  readonly signal: (name: NodeJS.Signals) => void;
  readonly isOver: () => boolean;
  readonly ended: Promise<{ readonly code: number | string }>;
  /** Where it serves its status, once it has said so. */
  readonly url: () => string | undefined;
  /** Resident memory in bytes, while it runs. */
  readonly memory: () => number | undefined;
}

/** Starts one more life of a replica. */
export function startLife({ name, args: flags, env, logFile }: ReplicaSetup, n: number, isContained: boolean): Life {
  const key = `${name}.${n}`;
  const watch = [program, 'watch', ...flags, '--listen', '127.0.0.1:0', ...(n % 2 === 0 ? ['--poll'] : [])];
  const [file = '', ...args] = [...(isContained ? container : []), process.execPath, ...watch];
  const child = spawn(file, args, {
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_OPTIONS: asDeployed,
      ...env(key),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const signals: NodeJS.Signals[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      appendFileSync(logFile, `${line}\n`);
    });
  const pid = (): number | undefined => (isContained ? childOf(child) : child.pid);
  let isOver = false;
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => {
    isOver = true;
    return { code: (code ?? signal) as number | string };
  });
  return {
    key,
    isContained,
    lines,
    signals,
    signal: (which) => {
      const target = pid();
      if (target === undefined || isOver) return;
      signals.push(which);
      // A container ends with the process that holds it.
      if (which === 'SIGKILL') child.kill(which);
      else process.kill(target, which);
    },
    isOver: () => isOver,
    ended,
    url: () =>
      lines
        .slice(0, 20)
        .map((line) => /"url":"(http:[^"]+)"/.exec(line)?.[1])
        .find((url) => url !== undefined),
    memory: () => {
      const target = pid();
      return target === undefined || isOver ? undefined : residentOf(target);
    },
  };
}

/** Asks a life to end in good order, and ends it where that takes more than a minute. */
export async function stopLife(life: Life): Promise<void> {
  life.signal('SIGTERM');
  await Promise.race([life.ended, pause(60_000)]);
  if (!life.isOver()) life.signal('SIGKILL');
  await life.ended;
}

// As examples/deploy says: what V8 may take at most decides how soon it tidies up.
const asDeployed = '--max-old-space-size=256 --max-semi-space-size=2';

const container = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child=SIGKILL'];

/** The process inside of a container. */
function childOf({ pid = 0 }: ChildProcess): number | undefined {
  try {
    const found = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0] ?? '';
    return found === '' ? undefined : Number(found);
  } catch {
    return undefined;
  }
}

function residentOf(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}
