import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/api/clock.ts';
import type { Io } from '../../src/cli/io.ts';
import type { AgentSetup } from '../../src/emulator/agents/agents.ts';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import type { EmulatorOptions } from '../../src/emulator/options.ts';
import { directory, ran, type Ended } from './terminal.ts';

/** Agents on a served emulator, and a command line whose service the environment alone names. */
export interface Fleet {
  readonly emulator: Emulator;
  /** Sessions, in the order the agents were given. */
  readonly ids: readonly string[];
  readonly sluice: (args: readonly string[], io?: Partial<Io>) => Promise<Ended>;
  /** The environment that names the service. */
  readonly env: Readonly<Record<string, string>>;
  /** Goes as far as somebody sleeps; the emulator lives by it too. */
  readonly clock: Clock;
  /** The fewest agents that were online after any request. */
  readonly fewestOnline: () => number;
  /** Commands that reached the service, such as `POST ts_1 update`. */
  readonly commands: () => readonly string[];
}

/** Brings agents online, a second apart. */
export async function fleet(agents: readonly AgentSetup[], options: EmulatorOptions = {}): Promise<Fleet> {
  let now = 0;
  const clock: Clock = {
    now: () => now,
    random: () => 0.5,
    sleep: (ms, signal) => {
      if (signal?.aborted === true) return Promise.reject(new Error('aborted'));
      now += ms;
      return Promise.resolve();
    },
  };
  const start = Date.parse('2026-03-02T09:00:00Z');
  const emulator = createEmulator({ seed: 'fleet', clock: () => new Date(start + now), ...options });
  const ids = agents.map((agent) => {
    now += 1000;
    return emulator.addAgent(agent);
  });
  let fewest = agents.length;
  emulator.intercept(async (_, next) => {
    const answer = await next();
    fewest = Math.min(fewest, onlineIn(emulator));
    return answer;
  });
  const { url, close } = await emulator.listen();
  onTestFinished(close);
  const cwd = await directory();
  const env = { SLUICE_BASE_URL: url, SLUICE_VENDOR: 'example', SLUICE_API_KEY: 'any' };
  return {
    emulator,
    ids,
    clock,
    env,
    fewestOnline: () => fewest,
    commands: () =>
      emulator.log.filter(({ method }) => method === 'POST').map(({ path }) => path.split('/').slice(-2).join(' ')),
    sluice: (args, io = {}) => ran(cwd, args, { env, clock, ...io }),
  };
}

/** A person who presses Ctrl-C as soon as a command waits for something. */
export function interruptedAsleep(clock: Clock): Pick<Io, 'signal' | 'clock'> {
  const interrupted = new AbortController();
  const sleep: Clock['sleep'] = (ms, signal) => {
    interrupted.abort();
    return clock.sleep(ms, signal);
  };
  return { signal: interrupted.signal, clock: { ...clock, sleep } };
}

/** The words of a command line as the rollout prints it, quotes taken off. */
export function wordsOf(line: string): readonly string[] {
  return [...line.trim().matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '').slice(1);
}

function onlineIn(emulator: Emulator): number {
  return emulator.snapshot().resources.filter(({ kind }) => kind === 'TunnelSession').length;
}
