import { describe, expect, test } from 'vitest';
import { sluice, stack } from './terminal.ts';

const env = { SLUICE_API_KEY: 'k3y-of-the-company' };

describe('apply --digest without a saved plan', () => {
  test('applies the plan that has the digest', async () => {
    const dir = await stack();
    const planned = JSON.parse((await sluice(dir, 'plan --format json', { env })).out) as { review_digest: string };
    expect((await sluice(dir, `apply --auto-approve --digest ${planned.review_digest}`, { env })).code).toBe(0);
    expect((await sluice(dir, 'plan --detailed-exitcode', { env })).code).toBe(0);
  });

  test('refuses any other, and writes nothing', async () => {
    const dir = await stack();
    const late = await sluice(dir, `apply --auto-approve --digest sha256:${'0'.repeat(64)}`, { env });
    expect([late.code, late.err]).toEqual([4, expect.stringContaining('not the approved sha256:0000')]);
    expect((await sluice(dir, 'plan --detailed-exitcode', { env })).code).toBe(2);
  });

  test('cannot be combined with --reviewed', async () => {
    const dir = await stack();
    expect((await sluice(dir, `apply --reviewed --digest sha256:${'0'.repeat(64)}`, { env })).code).toBe(8);
  });
});
