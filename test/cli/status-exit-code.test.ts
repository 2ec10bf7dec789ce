import { expect, test } from 'vitest';
import { exitCodeOfFleet, exitCodeOfStatus } from '../../src/cli/commands/watch/status-exit-code.ts';
import type { FleetStack, FleetStatus } from '../../src/model/status/fleet-status.ts';
import type { WatchStatus } from '../../src/model/status/watch-status.ts';
import { fleetJson } from '../../src/render/status/fleet/fleet-json.ts';
import { fleetJsonSchema } from '../../src/render/status/fleet/fleet-json-schema.ts';
import { statusJson } from '../../src/render/status/status-json.ts';
import type { StatusJson } from '../../src/render/status/status-json-schema.ts';
import { jsonText } from '../../src/render/text/json-text.ts';
import { conditionsOf } from '../../src/watch/status/conditions.ts';
import { noon } from '../watch/company.ts';
import { allWell, applying, awaiting, statuses } from '../watch/statuses.ts';

const codeOf = (status: WatchStatus): number =>
  exitCodeOfStatus(JSON.parse(jsonText(statusJson(status))) as StatusJson);

const codeOfFleet = (stacks: readonly FleetStack[], more: Partial<FleetStatus> = {}): number => {
  const fleet = { version: '1', startedAt: 0, now: noon, isStopping: false, stacks, ...more };
  return exitCodeOfFleet(fleetJsonSchema.parse(JSON.parse(jsonText(fleetJson(fleet)))));
};

test('a script learns from the exit code that all is in sync, that changes are pending, or that something failed', () => {
  const failures = [{ scope: 'account', code: 'API_UNREACHABLE', message: 'no route', since: 0, attempts: 1 }];
  const { lastRefresh: _, lastSuccess: __, ...unread } = awaiting;
  expect([codeOf(awaiting), codeOf({ ...awaiting, failures })]).toEqual([2, 1]);
  expect(codeOf({ ...unread, pending: [], role: 'standby' })).toBe(0);
  expect(codeOf({ ...unread, pending: [], role: 'standby', failures: [{ ...failures[0]!, scope: 'lock' }] })).toBe(1);
  // Out of sync without anything pending: all changes are being applied.
  const ready = { type: 'Ready', status: 'False', message: '', since: 0 } as const;
  const applying = { ...awaiting, pending: [], conditions: [{ ...ready, reason: 'OutOfSync' }] };
  expect([codeOf(applying), codeOf({ ...applying, conditions: [{ ...ready, reason: 'Starting' }] })]).toEqual([2, 1]);
});

const { lastRefresh: _, lastSuccess: __, ...unread } = allWell;
const first = { ...unread, resources: [], history: [] };
const starting = { ...first, conditions: conditionsOf(first, []) };

test.each(Object.entries({ ...statuses, 'applying-all': applying(4), starting }))(
  'a fleet with the one stack %s has the exit code of that stack',
  (_name, status) => {
    expect(codeOfFleet([{ path: 'a', status }])).toBe(codeOf(status));
    expect(
      codeOfFleet([
        { path: 'in-sync', status: allWell },
        { path: 'a', status },
      ]),
    ).toBe(codeOf(status));
  },
);

test('a fleet is in sync once each of its stacks has been read and none is applied to', () => {
  const failure = { scope: 'stack', code: 'SYNTAX_ERROR', message: 'no YAML', since: 0, attempts: 1 };
  const inSync = { path: 'a', status: allWell };
  expect(codeOfFleet([inSync])).toBe(0);
  expect(codeOfFleet([inSync, { path: 'b', status: applying(2) }])).toBe(2);
  expect(codeOfFleet([inSync, { path: 'b', status: starting }])).toBe(1);
  expect(codeOfFleet([inSync, { path: 'b' }])).toBe(1);
  expect(codeOfFleet([inSync, { path: 'b', failure }])).toBe(1);
  expect(
    codeOfFleet([
      { path: 'b', failure },
      { path: 'c', status: applying(2) },
    ]),
  ).toBe(1);
  expect(codeOfFleet([inSync], { searchFailure: 'permission denied' })).toBe(1);
  // As for a standby, another replica has the stack; what nobody has yet is not read.
  expect(codeOfFleet([inSync, { path: 'b', elsewhere: { replica: 'r2' } }])).toBe(0);
  expect(codeOfFleet([inSync, { path: 'b', elsewhere: {} }])).toBe(1);
});
