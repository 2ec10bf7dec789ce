import { bareWrites } from './bare-writes.ts';
import { writeCorpus } from './corpus.ts';
import { best, type Line } from './line.ts';
import { benchStack, type BenchStack } from './stack.ts';

const latencyMs = 20;

/** Time on the wall beside the critical path, with an emulator that answers after 20 ms. */
export async function time(): Promise<Line[]> {
  return [...(await planTime()), ...(await applyTime(17, [10])), ...(await applyTime(1_000, [10, 50]))];
}

async function planTime(): Promise<Line[]> {
  const resources = 10_000;
  const stack = await benchStack('--latency', String(latencyMs));
  try {
    writeCorpus(stack.dir, resources);
    await stack.sluice('apply', '--auto-approve', '--parallelism', '200');
    const lines: Line[] = [];
    for (const connections of [10, 50]) {
      const { wallMs } = await best(
        3,
        () => stack.sluice('plan', '--parallelism', String(connections)),
        (usage) => usage.wallMs,
      );
      // The longest list, page after page.
      const path = (resources / 2 / 100) * latencyMs;
      lines.push({
        what: `plan of ${resources}: wall / critical path, ${connections} connections`,
        figure: wallMs / path,
        most: connections === 10 ? 2 : 2.2,
        from: `${wallMs.toFixed(0)} ms / ${path} ms`,
      });
    }
    return lines;
  } finally {
    await stack.end();
  }
}

async function applyTime(changes: number, several: readonly number[]): Promise<Line[]> {
  const lines: Line[] = [];
  for (const connections of several) {
    const writing = await writingTime(connections, async ({ dir, sluice }) => {
      writeCorpus(dir, changes === 17 ? 20 : changes);
      await sluice('apply', '--auto-approve', '--parallelism', String(connections));
    });
    const { count } = writing;
    // What the emulator and a client that does nothing else take: timers of whole milliseconds, and one process that answers.
    const bare = await writingTime(connections, ({ url }) => bareWrites(url, { count, connections }));
    lines.push({
      what: `apply of ${count}: from first write to last / critical path, ${connections} connections`,
      figure: writing.wallMs / writing.pathMs,
      most: changes === 17 ? 1.4 : connections === 10 ? 1.15 : 1.5,
      from: `${writing.wallMs} ms / ${writing.pathMs} ms; by undici alone ${(bare.wallMs / bare.pathMs).toFixed(2)}`,
    });
  }
  return lines;
}

interface WritingTime {
  readonly count: number;
  /** From the first write to the last. */
  readonly wallMs: number;
  readonly pathMs: number;
}

async function writingTime(connections: number, write: (stack: BenchStack) => Promise<void>): Promise<WritingTime> {
  const stack = await benchStack('--latency', String(latencyMs));
  try {
    await write(stack);
    const writes = stack.requests().filter(({ method }) => method !== 'GET');
    const times = writes.map(({ time: at }) => Date.parse(at)).sort((a, b) => a - b);
    return {
      count: writes.length,
      wallMs: (times.at(-1) ?? 0) - (times[0] ?? 0) + latencyMs,
      pathMs: Math.ceil(writes.length / connections) * latencyMs,
    };
  } finally {
    await stack.end();
  }
}
