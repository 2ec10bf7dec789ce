import { describe, expect, test } from 'vitest';
import { harness, type Harness } from '../support/harness.ts';

const subscription = (name: string, description: string) => `apiVersion: sluice/v1
kind: EventSubscription
metadata: {name: ${name}}
spec: {description: ${description}, sources: [{type: a.v0}]}
`;
const files = (...documents: readonly string[]) => ({ 'stack.yaml': documents.join('---\n') });

function writes({ emulator }: Harness): readonly unknown[] {
  return emulator.log.filter(({ method }) => method !== 'GET');
}

describe('a save that fails', () => {
  const disk = (): Promise<never> => Promise.reject(new Error('the disk is full'));
  const names = ['a', 'b', 'c', 'd', 'e'];
  const all = (description: string) => files(...names.map((name) => subscription(name, description)));

  test.each([
    { what: 'updates', wanted: all('two') },
    { what: 'deletions', wanted: files(subscription('a', 'one')) },
  ])('ends the run between $what too: at most those are sent that were under way', async ({ wanted }) => {
    const walk = harness();
    await walk.converge(all('one'));
    const before = writes(walk).length;
    const { plan } = await walk.plan(wanted);
    const heal = walk.emulator.intercept(async (_, next) => {
      await new Promise((answered) => setTimeout(answered, 5));
      return next();
    });
    const outcome = await walk.apply(plan, { parallelism: 1, save: disk });
    heal();
    expect(outcome.stateError?.message).toContain('the disk is full');
    expect(writes(walk).length - before).toBeLessThanOrEqual(2);
    expect(outcome.changes.filter(({ ending }) => ending === 'not-started').length).toBeGreaterThanOrEqual(2);
    await walk.converge(wanted);
  });
});
