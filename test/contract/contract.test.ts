import { describe, expect, it } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { quota } from '../../src/emulator/faults/request-limits.ts';
import type { EmulatorOptions } from '../../src/emulator/options.ts';
import { readExchanges, readShapes, type Exchange } from './fixture.ts';
import { holdsIn, replay, type Profile } from './replay.ts';

// Every exchange against the emulator. Where they disagree the description decides, and it is mostly the emulator that
// is wrong: fixtures change only where they were transcribed badly.

const shapes = readShapes();
const exchanges = readExchanges();

describe.each<Profile>(['completed', 'documented'])('under %s', (profile) => {
  const held = exchanges.filter((exchange) => holdsIn(exchange, profile));
  describe.each([...new Set(held.map(({ family }) => family))])('%s', (family) => {
    const own = held.filter((exchange) => exchange.family === family);
    it.each(own)('$name', async (exchange) => {
      expect(await replayed(exchange, profile)).toEqual([]);
    });
  });
});

it.each<[string, EmulatorOptions, string]>([
  ['answers what it was sent', { readBack: 'as-sent' }, 'Hostports are lower case when read'],
  ['enforces no completed rule', { profile: 'documented' }, 'A match occurs once on an edge, whatever its type'],
  ['hides its secrets', { secrets: 'masked' }, 'A webhook check is put, read and taken away'],
  ['knows other keys', { apiKey: 'another' }, 'An address is read by its id'],
])('a service that %s is found out', async (_, differs, name) => {
  const exchange = exchanges.find((candidate) => candidate.name === name)!;
  expect(await replayed({ ...exchange, service: differs }, 'completed')).not.toEqual([]);
});

function replayed(exchange: Exchange, profile: Profile): Promise<readonly string[]> {
  let now = Date.parse('2026-06-01T12:00:00Z');
  const clock = (): Date => new Date(now);
  const emulator = createEmulator({
    profile,
    vendor: 'example',
    apiKey: 'contract-key',
    seed: exchange.name,
    clock,
    ...exchange.service,
  });
  if (exchange.rate_limit !== undefined)
    emulator.intercept(quota({ requests: exchange.rate_limit, seconds: 60 }, clock));
  for (const agent of exchange.agents ?? []) emulator.addAgent(agent);
  return replay(exchange, profile, shapes, emulator.handle, (seconds) => (now += seconds * 1000));
}
