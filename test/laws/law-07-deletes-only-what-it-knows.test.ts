/*
 * Law 7, Deletes only what it knows: only resources of this stack, only from a complete view, never because input was
 * empty or unreadable, never a protected one, never more than policy.max_deletes at once.
 *
 * Broken on purpose in a copy, and found here: protection looked for in manifests only; every marker taken for ours.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refused, SluiceError } from '../../src/diagnostics/errors.ts';
import { Refusal, refusalAnswer } from '../../src/emulator/answer.ts';
import type { Stored } from '../../src/emulator/family.ts';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import { kinds } from '../../src/kinds/index.ts';
import { anyForeignStack, forgetMarkers } from '../generators/actor.ts';
import { harness, type Harness } from '../support/harness.ts';
import { mustHold } from '../support/law.ts';
import { loadText } from '../support/load-text.ts';
import { sampleSize } from '../support/samples.ts';
import { asScenario, edited, files, inProfile, profiles } from './cases.ts';

const fiveEdges = Array.from({ length: 5 }, (_, n) => edge(`shop-${n}`)).join('---\n');
const twelveEdges = Array.from({ length: 12 }, (_, n) => edge(`shop-${n}`));

test.each(profiles)(
  'law 7, under %s: what is not ours stays as it is, whoever made it and whatever we remember',
  async (profile) => {
    await mustHold({
      on: fc.record({
        stacks: edited(profile),
        others: anyForeignStack(kinds),
        marked: fc.boolean(),
        lost: fc.boolean(),
      }),
      runs: sampleSize(6, 15),
      scenario: ({ stacks, others }) => asScenario(profile, others, stacks.before, stacks.after),
      holds: async ({ stacks, others, marked, lost }) => {
        // The other stack is made under `completed`: what matters is that it is there.
        const emulator = createEmulator({ seed: 1, profile });
        const other = harness({ emulator, profile, stack: { name: 'prod', id: '0123abcd' } });
        await other.converge(files(inProfile(profile, others)));
        if (!marked) forgetMarkers(emulator, kinds);
        const theirs = emulator.snapshot().resources;

        const ours = harness({ emulator, profile });
        for (const items of [stacks.before, stacks.after, []]) {
          await ours.converge(files(items));
          mustStillHold(emulator, theirs);
          // Under `documented` edges that serve no hostport can only be found by remembering them (decisions/0009).
          if (lost && profile === 'completed') ours.loseState();
        }
        expect(emulator.snapshot().resources).toHaveLength(theirs.length);
      },
    });
  },
);

describe('law 7: nothing is deleted', () => {
  test.each([500, 403, 404])('after a list that was answered %i', async (status) => {
    const walk = harness();
    await walk.converge({ 'stack.yaml': fiveEdges });
    const stop = walk.emulator.intercept(({ method, path }, next) =>
      method === 'GET' && path === '/edges/https'
        ? refusalAnswer(new Refusal(status, undefined, 'no'), 'op_1')
        : next(),
    );
    await expect(walk.plan({ 'stack.yaml': edge('shop-0') })).rejects.toThrow(SluiceError);
    stop();
    expect(walk.emulator.snapshot().resources).toHaveLength(5);
  });

  test('after a list of which the second page was not to be had', async () => {
    const walk = harness({ service: { pageSize: 2 } });
    await walk.converge({ 'stack.yaml': fiveEdges });
    walk.emulator.intercept(({ method, query }, next) =>
      method === 'GET' && query !== '' ? refusalAnswer(new Refusal(500, undefined, 'no'), 'op_1') : next(),
    );
    await expect(walk.plan({ 'stack.yaml': edge('shop-0') })).rejects.toThrow(SluiceError);
  });

  test.each([
    ['cannot be read', 'kind: HTTPSEdge\nspec: ['],
    ['have an error', edge('shop-0').replace('description', 'descripton')],
  ])('when manifests %s', async (_, text) => {
    const walk = harness();
    await walk.converge({ 'stack.yaml': fiveEdges });
    await expect(walk.plan({ 'stack.yaml': text })).rejects.toThrow(SluiceError);
  });

  test('when the run targets a part of the manifests', async () => {
    const walk = harness();
    await walk.converge({ 'stack.yaml': fiveEdges });
    const desired = await loadText({ 'stack.yaml': edge('shop-0') }, walk);
    const { plan } = await walk.plan({ ...desired, complete: false });
    expect(plan.steps).toEqual([]);
  });

  test('that is protected, also once the manifest is gone, and with the state file lost', async () => {
    const walk = harness();
    await walk.converge({ 'stack.yaml': edge('shop-0', 'lifecycle: {protect: true}\n') });
    await mustBeBlocked(walk, { 'stack.yaml': '' }, 'PROTECTED');
    walk.loseState();
    await mustBeBlocked(walk, { 'stack.yaml': '' }, 'PROTECTED');
  });

  test('when it would be more than max_deletes: a number, or a share from ten resources on', async () => {
    const count = harness({ policy: { maxDeletes: { count: 2 }, block: [] } });
    await count.converge({ 'stack.yaml': fiveEdges });
    await mustBeBlocked(count, { 'stack.yaml': twelveEdges.slice(3, 5).join('---\n') }, 'MAX_DELETES');
    await count.converge({ 'stack.yaml': twelveEdges.slice(2, 5).join('---\n') });

    const share = harness({ policy: { maxDeletes: { percent: 25 }, block: [] } });
    await share.converge({ 'stack.yaml': twelveEdges.join('---\n') });
    await mustBeBlocked(share, { 'stack.yaml': twelveEdges.slice(4).join('---\n') }, 'MAX_DELETES');
    await share.converge({ 'stack.yaml': twelveEdges.slice(3).join('---\n') });
    await share.converge({ 'stack.yaml': '' });
  });
});

async function mustBeBlocked(
  { plan, apply, emulator }: Harness,
  wanted: Record<string, string>,
  code: string,
): Promise<void> {
  const before = emulator.snapshot();
  const made = (await plan(wanted)).plan;
  expect(made.changes.map(({ blocked }) => blocked?.code)).toContain(code);
  await expect(apply(made)).rejects.toThrow(Refused);
  expect(emulator.snapshot()).toEqual(before);
}

function mustStillHold(emulator: Emulator, theirs: readonly Stored[]): void {
  const now = new Map(emulator.snapshot().resources.map((resource) => [resource.id, resource]));
  for (const one of theirs) expect(now.get(one.id)).toEqual(one);
}

function edge(name: string, lifecycle = ''): string {
  return `apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: ${name}}\n${lifecycle}spec: {description: ${name}}\n`;
}
