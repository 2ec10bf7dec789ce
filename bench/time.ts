import { writeCorpus } from './corpus.ts';
import { best, type Line } from './line.ts';
import { benchStack } from './stack.ts';

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
    const stack = await benchStack('--latency', String(latencyMs));
    try {
      writeCorpus(stack.dir, changes === 17 ? 20 : changes);
      await stack.sluice('apply', '--auto-approve', '--parallelism', String(connections));
      const writes = stack.requests().filter(({ method }) => method !== 'GET');
      const times = writes.map(({ time: at }) => Date.parse(at)).sort((a, b) => a - b);
      const wall = (times.at(-1) ?? 0) - (times[0] ?? 0) + latencyMs;
      const path = Math.ceil(writes.length / connections) * latencyMs;
      lines.push({
        what: `apply of ${writes.length}: from first write to last / critical path, ${connections} connections`,
        figure: wall / path,
        most: changes === 17 ? 1.4 : connections === 10 ? 1.15 : 1.5,
        from: `${wall} ms / ${path} ms`,
      });
    } finally {
      await stack.end();
    }
  }
  return lines;
}
