import { createEmulator } from '../../../src/emulator/emulator.ts';
import type { EmulatorOptions } from '../../../src/emulator/options.ts';
import { clientOf } from './client.ts';

/** An emulator with a client, on a clock that only moves on request. */
export function setUp(options: EmulatorOptions = {}) {
  let now = Date.parse('2027-03-01T12:00:00Z');
  const emulator = createEmulator({ seed: 'test', clock: () => new Date(now), ...options });
  return {
    emulator,
    call: clientOf(emulator),
    pass: (seconds: number) => {
      now += seconds * 1000;
    },
  };
}

/** An emulator with an edge and one route of it. */
export async function withRoute(route: object = {}, options: EmulatorOptions = {}) {
  const all = setUp(options);
  const edge = await all.call('POST', '/edges/https', { hostports: ['shop.example.com:443'] });
  const edgePath = `/edges/https/${String(edge.body['id'])}`;
  const made = await all.call('POST', `${edgePath}/routes`, { match_type: 'path_prefix', match: '/', ...route });
  return { ...all, edgePath, route: made, routePath: `${edgePath}/routes/${String(made.body['id'])}` };
}
