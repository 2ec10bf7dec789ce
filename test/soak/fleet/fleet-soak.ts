/*
 * A fleet of 20 stacks on three processes over one PostgreSQL.
 *
 *   writer     changes a stack about every second, leaves errors behind, and moves directories away     fleet-writer.ts
 *   service    fails one request in ten                                                                faults.ts
 *   person     changes and deletes what the stacks have made                                           person.ts
 *   misfortune kills and stops processes, restarts the store, has the service refuse requests, revokes keys
 *                                                                                                      fleet-mishaps.ts
 *
 * Then everything works again, a last revision of each stack is deployed, and the account is compared with it.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { startPostgres } from '../../support/postgres-server.ts';
import { deviations } from '../account.ts';
import { oldestReason } from '../checks.ts';
import type { Revision } from '../company.ts';
import { drawFor } from '../draw.ts';
import { goWrong } from './fleet-mishaps.ts';
import { fleetStacks, keysOf, sharedStore } from './fleet-stacks.ts';
import { fleetVerdict } from './fleet-verdict.ts';
import { newFleetWriter } from './fleet-writer.ts';
import { observe } from '../health.ts';
import { pause } from '../pause.ts';
import { meddle } from '../person.ts';
import { rowsText } from '../report.ts';
import { personsKey, startService, type Service } from '../service.ts';
import type { SoakOptions, SoakResult } from '../soak.ts';
import { supervise } from '../supervise.ts';

// A session of a replica ends after its lease, and the locks of its stacks after theirs.
const settleMs = 180_000;

/** How long, with which draws, and with which division of the stacks. */
export interface FleetSoakOptions extends SoakOptions {
  /** The processes divide the stacks among them; else the first one leads them all, and the others are on standby. */
  readonly isDivided: boolean;
}

/** Runs the soak of a fleet and compares what it came to with what should be. */
export async function soakFleet({ seconds, seed, say, isDivided }: FleetSoakOptions): Promise<SoakResult> {
  const root = await mkdtemp(join(tmpdir(), 'sluice-fleet-soak-'));
  say(`logs in ${root}`);
  const store = await startPostgres();
  const service = await startService(seed, false);
  const writer = await newFleetWriter(root, drawFor(seed, 0));
  const replicasFile = join(root, 'replicas.yaml');
  await writeFile(replicasFile, stringify({ version: 1, fleet: 'soak', state: sharedStore }), { mode: 0o644 });
  const setups = ['left', 'middle', 'right'].map((name) => ({
    name,
    args: ['--fleet', writer.dir, ...(isDivided ? ['--replicas', replicasFile] : [])],
    env: (key: string) => ({ ...keysOf(key), SLUICE_BASE_URL: service.url, SLUICE_STATE_URL: store.url }),
    logFile: join(root, `${name}.log`),
  }));
  const replicas = supervise(setups, drawFor(seed, 1), () => false);
  const observing = new AbortController();
  const observed = observe(replicas.lives, observing.signal);
  onTestFinished(async () => {
    observing.abort();
    void replicas.stop();
    for (const life of replicas.lives()) life.signal('SIGKILL');
    await service.close();
    await store.stop();
  });

  const over = new AbortController();
  const busy = Promise.all([
    goWrong({ replicas, service, store }, drawFor(seed, 3), over.signal),
    meddle(service, drawFor(seed, 2), over.signal),
    writer.write(over.signal),
  ]);
  await pause(seconds * 1_000);
  over.abort();
  const [mishaps, meddlings] = await busy;
  service.faults.stop();
  const settled = await settle(service, await writer.conclude());
  observing.abort();
  await observed.over;
  await replicas.stop();

  const violations = [...settled.deviations, ...(await fleetVerdict({ writer, service, store, replicas, observed }))];
  if (violations.length === 0) await rm(root, { recursive: true, force: true });
  else await writeFile(join(root, 'deeds.json'), JSON.stringify(service.deeds, undefined, 1));
  const own = service.deeds.filter(({ by }) => by !== personsKey && by !== 'others');
  return {
    violations,
    table: rowsText([
      ['seed, seconds', `${seed}, ${seconds}`],
      ['stacks, processes', `${fleetStacks.length}${isDivided ? ' divided among' : ','} ${replicas.lives().length}`],
      ['revisions, with errors', `${writer.counts.revisions}, ${writer.counts.errors}`],
      ['directories gone for a while', String(writer.counts.vanished)],
      ['changes by hand', String(meddlings)],
      ...Object.entries(mishaps).map(([name, count]): [string, string] => [name, String(count)]),
      ['requests, failed', `${service.emulator.count()}, ${service.faults.count()}`],
      ['writes, deletions', `${own.length}, ${own.filter(({ isEnd }) => isEnd).length}`],
      ['oldest reason for a deletion', `${Math.round(oldestReason(service.deeds, writer.ledgers) / 1000)} s`],
      ['health probes answered', String(observed.probes())],
      ['converged after', `${Math.round(settled.ms / 1000)} s, last: ${settled.last}`],
      ['violations', violations.length === 0 ? '0' : `${violations.length}; see ${root}`],
    ]),
  };
}

/** Waits until the account is as the last revisions describe it; what it then lacks is returned. */
async function settle(
  { emulator }: Service,
  revisions: ReadonlyMap<string, Revision>,
): Promise<{ readonly ms: number; readonly deviations: readonly string[]; readonly last: string }> {
  const began = Date.now();
  let last = 'nothing';
  for (;;) {
    const { resources } = emulator.snapshot();
    const found = [...revisions].flatMap(([name, revision]) =>
      [...deviations(resources, name, revision, '')].map((text) => `${name}: ${text}`),
    );
    const ms = Date.now() - began;
    if (found.length === 0 || ms > settleMs) return { ms, deviations: found, last };
    last = found[0] ?? last;
    await pause(500);
  }
}
