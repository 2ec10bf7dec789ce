import { writeCorpus } from './corpus.ts';
import type { Line } from './line.ts';
import { benchStack } from './stack.ts';

const quota = { requests: 120, seconds: 6 };
const changes = 600;

/** An apply under a quota that it was told of, and under one that it learns. */
export async function rateLimit(): Promise<Line[]> {
  const rate = `${quota.requests}/${quota.seconds}s`;
  const lines: Line[] = [];
  for (const isTold of [true, false]) {
    const stack = await benchStack('--rate-limit', rate);
    try {
      writeCorpus(stack.dir, changes);
      if (isTold) stack.setRate(rate);
      await stack.sluice('apply', '--auto-approve');
      const logged = stack.requests();
      const refused = logged.filter(({ status }) => status === 429).length;
      const times = logged.map(({ time }) => Date.parse(time)).sort((a, b) => a - b);
      const wall = (times.at(-1) ?? 0) - (times[0] ?? 0);
      const floor = ((logged.length - refused) / quota.requests) * quota.seconds * 1000;
      const how = isTold ? 'configured' : 'learned';
      lines.push(
        { what: `quota ${how}: requests refused`, figure: refused, most: isTold ? 0 : 30 },
        { what: `quota ${how}: wall / what so many requests cost`, figure: wall / floor, most: 1.05 },
      );
    } finally {
      await stack.end();
    }
  }
  return lines;
}
