import { describe, expect, test } from 'vitest';
import type { StacksJson } from '../../../src/render/stacks/stacks-json-schema.ts';
import { directory, sluice } from '../terminal.ts';
import { address, stackAt } from './several-stacks.ts';

const two = { ...stackAt('network'), ...stackAt('web', address('web').replace('region', 'regoin')) };

describe('validate --all', () => {
  test('checks every stack, and ends with the code of one that is invalid', async () => {
    const { code, out, err } = await sluice(await directory(two), 'validate --all');
    expect(code).toBe(8);
    expect(out).toBe(`
== network ==
1 resource is valid.

== web ==

network  valid
web      failed (exit 8): unknown field \`regoin\` in ReservedAddr.spec

2 stacks: 1 failed, 1 valid.
`);
    expect(err).toContain('error[UNKNOWN_FIELD]');
  });

  test('is one document in JSON', async () => {
    const { out } = await sluice(await directory(two), 'validate --all --format json');
    const { stacks } = JSON.parse(out) as StacksJson;
    expect(stacks.map(({ status }) => status)).toEqual(['valid', 'failed']);
  });

  test('has no SARIF, which is about one stack', async () => {
    const { code, err } = await sluice(await directory(two), 'validate --all --format sarif');
    expect(code).toBe(8);
    expect(err).toContain('validate --all supports only the formats text, json and yaml');
  });
});

test('destroy has no --all', async () => {
  const { code, err } = await sluice(await directory(two), 'destroy --all --auto-approve');
  expect(code).toBe(8);
  expect(err).toContain('destroy deletes one stack and has no --all');
});
