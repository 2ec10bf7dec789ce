import { describe, expect, test } from 'vitest';
import { SluiceError } from '../../src/diagnostics/errors.ts';
import { asSomebody } from '../support/as-somebody.ts';
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

  test('fails what only state would have known: an entry of what is gone is not dropped', async () => {
    const walk = harness();
    await walk.converge(files(subscription('a', 'one'), subscription('b', 'one')));
    await asSomebody(walk, 'DELETE', `/event_subscriptions/${walk.state()?.entries['EventSubscription/a']?.id ?? ''}`);
    const { plan } = await walk.plan(files(subscription('b', 'one')));
    expect(plan.steps).toEqual([]);
    const outcome = await walk.apply(plan, { save: disk });
    expect(outcome.changes).toMatchObject([
      { address: 'EventSubscription/a', action: 'forget', ending: 'failed', message: 'the disk is full' },
    ]);
  });
});

describe('what is reported about a state that was not saved', () => {
  const reported = async (failure: Error | undefined, isRepeated?: boolean) => {
    const walk = harness();
    const { plan } = await walk.plan(files(subscription('a', 'one')));
    const save = (): Promise<void> => (failure === undefined ? Promise.resolve() : Promise.reject(failure));
    return (await walk.apply(plan, { save, ...(isRepeated === undefined ? {} : { isRepeated }) })).stateError;
  };
  const own = new SluiceError('STATE_CHANGED', 'another run wrote it', { hint: 'plan again' });
  const ofBoth = new SluiceError('STATE_CHANGED', 'another run wrote it', { hint: 'plan again', hintInWatch: 'wait' });
  const byItself = new SluiceError('STATE_CHANGED', 'another run wrote it', { hint: 'plan again', hintInWatch: '' });
  const bare = new SluiceError('STATE_CHANGED', 'another run wrote it');

  test('is nothing where it was saved', async () => {
    expect(await reported(undefined)).toBeUndefined();
  });

  test.each([
    ['an error of the system', new Error('disk full'), 'STATE_NOT_WRITTEN', 'cannot save the state: disk full'],
    ['an error that says no more', bare, 'STATE_CHANGED', 'another run wrote it'],
  ])('is the message of %s, and to make the state writable', async (_, failure, code, message) => {
    const again = expect.stringMatching(/^make the state store writable and run `sluice apply` again/) as string;
    expect(await reported(failure)).toEqual({ code, message, hint: again });
    expect(await reported(failure, false)).toEqual({ code, message, hint: again });
    const next = expect.stringMatching(/^make the state store writable; the next apply/) as string;
    expect(await reported(failure, true)).toEqual({ code, message, hint: next });
  });

  test('is what the error says is to be done, in a watch what is to be done there', async () => {
    expect(await reported(own)).toMatchObject({ code: 'STATE_CHANGED', hint: 'plan again' });
    expect(await reported(own, true)).toMatchObject({ hint: 'plan again' });
    expect(await reported(byItself, true)).toMatchObject({ hint: 'sluice retries automatically' });
    expect(await reported(ofBoth)).toMatchObject({ hint: 'plan again' });
    expect(await reported(ofBoth, true)).toMatchObject({ hint: 'wait' });
  });
});
