import type { PlanInput } from '../src/plan/input.ts';
import { planStack } from '../src/plan/plan.ts';
import { inputOf } from '../test/plan/support.ts';
import { allocated } from './allocated.ts';
import { edgesWithRoutes } from './exposure-in-memory.ts';
import type { Line } from './line.ts';
import { changedRoutes, routeChanges } from './routes.ts';

// As good as linear.
const most = 2.3;

/** How what a plan allocates grows with a stack: no machine, and no other program on it, changes that. */
export async function growth(): Promise<Line[]> {
  const line = async (what: string, input: (count: number) => PlanInput, count: number): Promise<Line> => {
    const bytes = async (of: PlanInput): Promise<number> => {
      planStack(of);
      return allocated(() => planStack(of));
    };
    const [half, whole] = [await bytes(input(count / 2)), await bytes(input(count))];
    const figure = whole / half;
    return { what, figure, most, isExact: true, from: `${(whole / 1e6).toFixed(0)} MB` };
  };
  const noOp = (count: number): PlanInput => {
    const specs = edgesWithRoutes(count);
    return inputOf({ ours: specs, wanted: specs });
  };
  const lines = [
    await line('no-op plan of 1,000 edges: bytes allocated / for 500', noOp, 1_000),
    await line(
      'plan that creates 1,000 edges: bytes allocated / for 500',
      (count) => inputOf({ wanted: edgesWithRoutes(count) }),
      1_000,
    ),
  ];
  for (const { what, before, after } of routeChanges)
    lines.push(
      await line(
        `${what}, 1,200 of one edge: bytes allocated / for 600`,
        (count) => changedRoutes(count, before, after),
        1_200,
      ),
    );
  return lines;
}
