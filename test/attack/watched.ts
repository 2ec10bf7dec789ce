import { setTimeout as pause } from 'node:timers/promises';
import type { Io } from '../../src/cli/io.ts';
import { sluice, type Ended } from '../cli/terminal.ts';
import { handDriven } from '../watch/hand-driven.ts';

/** What goes on around a watch. */
export interface Surroundings {
  /** How many requests have been sent. */
  readonly seen: () => number;
  /** Lets the next pull request arrive. */
  readonly commit: () => void;
}

// Steps of the clock, of a second or less: at most so many, and at rest when so many have brought no request since the
// files were read.
const steps = { most: 400, quiet: 12 };

/** Runs a watch on a clock of its own: at rest, a commit arrives; at rest again, it is stopped. Its page is part of what it prints. */
export async function watched(
  dir: string,
  line: string,
  io: (more: Partial<Io>) => Partial<Io>,
  { seen, commit }: Surroundings,
): Promise<Ended> {
  const time = handDriven(Date.UTC(2026, 2, 14, 12));
  const over = new AbortController();
  let [log, pages, hasEnded] = ['', '', false];
  const err = (text: string): void => void (log += text);
  const running = sluice(dir, line, io({ err, clock: time.clock, now: time.now, signal: over.signal }));
  void running.finally(() => (hasEnded = true));
  await rest();
  pages += await pagesOf(log);
  commit();
  await rest();
  pages += await pagesOf(log);
  over.abort();
  while (!hasEnded) await step();
  const { code, out } = await running;
  return { code, out: out + pages, err: log };

  async function rest(): Promise<void> {
    const before = readings();
    let [last, still] = [seen(), 0];
    for (let count = 0; count < steps.most && still < steps.quiet && !hasEnded; count++) {
      await step();
      still = seen() === last && readings() > before ? still + 1 : 0;
      last = seen();
    }
  }

  function readings(): number {
    return [...log.matchAll(/"event":"(?:revision|failed)"/g)].length;
  }

  async function step(): Promise<void> {
    await pause(2);
    time.jump();
  }
}

async function pagesOf(log: string): Promise<string> {
  const { url } = /"url":"(?<url>http:[^"]+)"/.exec(log)?.groups ?? {};
  if (url === undefined) return '';
  const texts = ['/', '/status.json', '/metrics'].map(async (path) => (await fetch(url + path)).text());
  return (await Promise.all(texts)).join('\n');
}
