import { describe, expect, test } from 'vitest';
import type { FleetStack, FleetStatus } from '../../../src/model/status/fleet-status.ts';
import { fleetGauges } from '../../../src/watch/fleet/fleet-gauges.ts';
import { fleetPosts, fleetReplies } from '../../../src/watch/fleet/fleet-replies.ts';
import { noon } from '../company.ts';
import { allWell, awaiting } from '../statuses.ts';
import { stubMember } from './stub-member.ts';

const failure = { scope: 'stack', code: 'SYNTAX_ERROR', message: 'the bracket is not closed', since: 0, attempts: 1 };
const url = 'https://two.example.com/fleet/';
const stacks: readonly FleetStack[] = [
  { path: '.', status: allWell },
  { path: 'team/my shop', status: awaiting },
  { path: 'broken', failure },
  { path: 'starts' },
  { path: 'free', elsewhere: {} },
  { path: 'taken', elsewhere: { replica: 'two' } },
  { path: 'shown', elsewhere: { replica: 'two', url } },
];
const fleet: FleetStatus = { version: '1', startedAt: 0, now: noon, isStopping: false, stacks, searchDueBy: noon };

function served(takesApprovals = true) {
  const members = new Map(stacks.map((stack) => [stack.path, stubMember(stack, takesApprovals)]));
  return {
    fleet: () => fleet,
    now: () => noon,
    members,
    ofProcess: () => [],
  };
}

/** Status and text of the answer on a path. */
async function answered(path: string): Promise<readonly unknown[] | undefined> {
  const reply = await fleetReplies(served())(path)?.('');
  return reply && [reply.status, reply.body.trim()];
}

describe('below /stacks/', () => {
  test.each([
    ['/stacks/', '. /'],
    ['/stacks/status.json', '. /status.json'],
    ['/stacks/team/my%20shop/', 'team/my shop /'],
    ['/stacks/team/my%20shop/details', 'team/my shop /details'],
  ])('%s is answered by the stack', async (path, text) => {
    expect(await answered(path)).toEqual([200, text]);
  });

  test.each(['/stacks', '/stacks/none/', '/stacks/team/', '/stacks/%ff/', '/x/stacks/', '/stacks/team/my%20shop'])(
    '%s is not found',
    async (path) => {
      expect(await answered(path)).toBeUndefined();
    },
  );

  test.each([
    ['broken', 'SYNTAX_ERROR: the bracket is not closed'],
    ['starts', 'the stack is being started; try again in a few seconds'],
    ['free', 'no replica watches the stack yet; try again in a minute'],
    ['taken', 'the stack is watched by replica two'],
    ['shown', `the stack is watched by replica two; the status page of the stack is ${url}stacks/shown/`],
  ])('a stack without a status shows why: %s', async (path, why) => {
    expect(await answered(`/stacks/${path}/`)).toEqual([503, why]);
  });
});

describe('an approval', () => {
  const posted = async (
    path: string,
    isApprovedOnPage: boolean,
    takesApprovals = true,
  ): Promise<string | undefined> => {
    const post = fleetPosts(served(takesApprovals), isApprovedOnPage)(path);
    const reply = await post?.({ headers: {}, text: '', from: undefined });
    return reply && `${String(reply.status)} ${reply.body.trim()}`;
  };

  test('is taken by the stack whose page it is sent to', async () => {
    expect(await posted('/stacks/approve', true)).toBe('202 .');
    expect(await posted('/stacks/team/my%20shop/approve', true)).toBe('202 team/my shop');
    for (const path of ['/approve', '/stacks/none/approve', '/stacks/status.json'])
      expect(await posted(path, true)).toBeUndefined();
  });

  test('of a stack that is elsewhere reports where to approve, where pages take approvals', async () => {
    expect(await posted('/stacks/shown/approve', true, false)).toBe(
      `503 nothing was approved: the stack is watched by replica two; approve the changes at ${url}stacks/shown/`,
    );
    expect(await posted('/stacks/shown/approve', false, false)).toBeUndefined();
    expect(await posted('/stacks/shown/status.json', true, false)).toBeUndefined();
    expect(await posted('/stacks/approve', true, false)).toBeUndefined();
  });
});

test('the gauges of a fleet count stacks by condition, name those that cannot be watched, and say when it was searched', () => {
  const metrics = (given: FleetStatus) =>
    Object.fromEntries(fleetGauges(given).map(({ name, samples }) => [name.replace('sluice_fleet_', ''), samples]));
  const two = { ...fleet, stacks: stacks.slice(1, 3), lastSearch: 5_500 };
  expect(metrics(two)).toMatchObject({
    stacks: expect.arrayContaining([
      { labels: { condition: 'action-required' }, value: 2 },
      { labels: { condition: 'in-sync' }, value: 0 },
    ]) as unknown,
    stack_failed: [
      { labels: { path: 'team/my shop' }, value: 0 },
      { labels: { path: 'broken' }, value: 1 },
    ],
    last_search_timestamp_seconds: [{ value: 5.5 }],
  });
  expect(metrics(fleet)['last_search_timestamp_seconds']).toEqual([]);
});
