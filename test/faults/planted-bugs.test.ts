/*
 * Bugs that others have had, put in on purpose: each must be found. A harness that finds none proves nothing.
 */
import { describe, expect, test } from 'vitest';
import { replayLine, type Case } from './cases.ts';
import type { Planted } from './one-run.ts';
import { judge } from './oracles.ts';
import { bugs } from './planted.ts';
import { prepare, type Prepared } from './prepare.ts';
import { servers, type Server } from './servers.ts';
import { trial } from './trial.ts';

describe('each planted bug is found, and only with it planted', () => {
  test.each(Object.entries(bugs))('%s', async (name, { planted, on, faults = [], cuts, foundBy }) => {
    const server = servers[on.server];
    if (server === undefined) throw new Error('no such server');
    const prepared = (await legsOf(server))[on.leg];
    const one: Case = { server, leg: on.leg, faults, seed: 1 };
    const places: Case[] =
      cuts === undefined
        ? [one]
        : prepared.requests.map((_, at) => ({ ...one, cut: { request: at + 1, point: cuts } }));
    const found = await firstFound(prepared, places, planted, foundBy);
    expect(found && replayLine(found, name)).toMatch(/^MATRIX_BUG='.+' MATRIX='.+' npm run test:matrix$/);
    // Without it, nothing is found there; other places are those of the matrix.
    expect(await firstFound(prepared, found === undefined ? [] : [found], {})).toBeUndefined();
  });
});

// Most bugs are tried on the same server.
const known = new Map<Server, ReturnType<typeof prepare>>();

function legsOf(server: Server): ReturnType<typeof prepare> {
  const legs = known.get(server) ?? prepare(server);
  known.set(server, legs);
  return legs;
}

async function firstFound(
  prepared: Prepared,
  places: readonly Case[],
  planted: Planted,
  foundBy?: number,
): Promise<Case | undefined> {
  for (const one of places) {
    const evidence = await trial(prepared, { ...one, planted });
    const oracles = judge(evidence, prepared, one.faults).map(({ oracle }) => oracle);
    if (oracles.length === 0) continue;
    if (foundBy !== undefined) expect(oracles).toEqual([foundBy]);
    return one;
  }
  return undefined;
}
