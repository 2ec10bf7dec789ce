import type { PostgresServer } from '../../support/postgres-server.ts';
import { startProgram } from '../../support/processes.ts';
import { badEnds, twoWriters, wrongDeeds } from '../checks.ts';
import { fleetStacks, keyOf, keysOf } from './fleet-stacks.ts';
import type { FleetWriter } from './fleet-writer.ts';
import type { Observed } from '../health.ts';
import type { Service } from '../service.ts';
import type { Supervised } from '../supervise.ts';

/** What a soak of a fleet has left behind. */
export interface FleetRemains {
  readonly writer: FleetWriter;
  readonly service: Service;
  readonly store: PostgresServer;
  readonly replicas: Supervised;
  readonly observed: Observed;
}

/** Everything that was not as it should be, once all processes have ended. */
export async function fleetVerdict({ writer, service, store, replicas, observed }: FleetRemains): Promise<string[]> {
  const { deeds } = service;
  const lives = replicas.lives();
  const violations: string[] = [];
  for await (const violation of badEnds(lives)) violations.push(violation);
  violations.push(...wrongDeeds(deeds, writer.ledgers), ...service.foreignChanges(), ...observed.unwell);
  for (const name of fleetStacks) {
    const about = `"stack":"${name}"`;
    const ofStack = lives.map(({ key, lines }) => ({
      key: keyOf(name, key),
      lines: lines.filter((line) => line.includes(about)),
    }));
    violations.push(...twoWriters(deeds, ofStack));
  }
  const env = { ...keysOf('reader'), SLUICE_BASE_URL: service.url, SLUICE_STATE_URL: store.url };
  const { code, out, err } = await startProgram(writer.dir, ['plan', '--all', '--detailed-exitcode'], env).ended;
  if (code !== 0) violations.push(`plan --all ended with ${String(code)}: ${out}${err}`);
  return violations;
}
