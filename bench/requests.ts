import { writeCorpus } from './corpus.ts';
import type { Line } from './line.ts';
import { benchStack, type Logged } from './stack.ts';

const resources = 1_000;

/** How many requests a plan and an apply make beside the fewest there can be (law 9). */
export async function requests(): Promise<Line[]> {
  const stack = await benchStack();
  try {
    const { pages } = writeCorpus(stack.dir, resources);
    await stack.sluice('apply', '--auto-approve', '--parallelism', '50');
    const created = writesIn(stack.requests());
    await stack.sluice('plan');
    const planned = stack.requests().length;
    writeCorpus(stack.dir, resources, 'second');
    await stack.faults('status-before=503@1%');
    await stack.sluice('apply', '--auto-approve', '--parallelism', '50');
    const updated = writesIn(stack.requests());
    return [
      {
        what: 'plan: requests / fewest',
        figure: planned / pages,
        most: 1,
        from: `${planned} for ${resources}`,
        isExact: true,
      },
      { what: 'apply: writes / changed objects', figure: created / resources, most: 1, isExact: true },
      { what: 'apply: writes / changed objects, 1 % answered 503', figure: updated / resources, most: 1.02 },
    ];
  } finally {
    await stack.end();
  }
}

function writesIn(logged: readonly Logged[]): number {
  return logged.filter(({ method }) => method !== 'GET').length;
}
