/*
 * A soak: two stacks share an account for a while, in processes of their own, and everything goes wrong that goes
 * wrong in months.
 *
 *   writer     commits each second, deploys as git-sync or `git pull` do, and leaves messes behind      writer.ts
 *   service    fails one request in ten                                                                faults.ts
 *   person     changes and deletes what the stacks have made                                           person.ts
 *   shop       two replicas that are killed, ended and stopped in turn                                 kills.ts
 *   office     a leader and a standby that live as long as the soak, so that their memory is measured health.ts
 *
 * Then everybody stops, a last good revision is deployed, and what is there is held against the writer's own ledger.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { deviations } from './account.ts';
import type { Revision } from './company.ts';
import { drawFor } from './draw.ts';
import { observe, type Observed } from './health.ts';
import { startPair, type Pair } from './kills.ts';
import { again, pause } from './pause.ts';
import { meddle } from './person.ts';
import { startLife, stopLife, type Life, type ReplicaSetup } from './replica.ts';
import { tableOf } from './report.ts';
import { startService, type Service } from './service.ts';
import { stackNames, type Places, type StackName } from './stack-files.ts';
import { verdict } from './verdict.ts';
import { newWriter, type Writer } from './writer.ts';

/** How long and with which draws. */
export interface SoakOptions {
  readonly seconds: number;
  readonly seed: number;
  /** Called with the progress. */
  readonly say: (line: string) => void;
}

/** What a soak has come to. */
export interface SoakResult {
  readonly violations: readonly string[];
  readonly table: string;
}

/** Everybody who takes part. */
export interface Scene {
  readonly root: string;
  readonly isLong: boolean;
  readonly writer: Writer;
  readonly service: Service;
  readonly pair: Pair;
  readonly steady: readonly Life[];
  readonly lives: () => readonly Life[];
  readonly observing: AbortController;
  readonly observed: Observed;
}

// From here on there is time for real stalls, for leases of containers to run out, and for memory to level off.
const longSeconds = 300;
const settleMs = 180_000;

/** Runs a soak and holds what it came to against what should be. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const scene = await begin(options);
  const meddlings = await trouble(scene, options);
  const revisions = await scene.writer.conclude();
  const settled = await settle(scene, revisions);
  scene.observing.abort();
  await scene.observed.over;
  await Promise.all([scene.pair.stop(), ...scene.steady.map(stopLife)]);
  const violations = [...settled.deviations, ...(await verdict(scene))];
  if (violations.length === 0) await rm(scene.root, { recursive: true, force: true });
  else await writeFile(join(scene.root, 'deeds.json'), JSON.stringify(scene.service.deeds, undefined, 1));
  return { violations, table: tableOf({ ...scene, ...options, meddlings, settledMs: settled.ms, violations }) };
}

/** Everything there is, before the trouble begins. */
async function begin({ seconds, seed, say }: SoakOptions): Promise<Scene> {
  const isLong = seconds >= longSeconds;
  const root = await mkdtemp(join(tmpdir(), 'sluice-soak-'));
  say(`logs and state in ${root}`);
  const places = { shop: await placesIn(root, 'shop'), office: await placesIn(root, 'office') };
  const writer = await newWriter(root, places, drawFor(seed, 0));
  const service = await startService(seed, isLong);
  const setup = (stack: StackName, name: string): ReplicaSetup => ({
    name: `${stack}-${name}`,
    args: [writer.directory(stack)],
    env: (key) => ({
      SLUICE_API_KEY: key,
      SLUICE_BASE_URL: service.url,
      SLUICE_SECRETS_DIRS: join(root, 'secrets', stack),
    }),
    logFile: join(root, `${stack}-${name}.log`),
  });
  const pair = startPair([setup('shop', 'left'), setup('shop', 'right')], drawFor(seed, 1), isLong);
  const steady = [startLife(setup('office', 'leader'), 1, false)];
  const lives = (): readonly Life[] => [...pair.lives(), ...steady];
  onTestFinished(async () => {
    void pair.stop();
    for (const life of lives()) life.signal('SIGKILL');
    await service.close();
  });
  await pause(2_000);
  steady.push(startLife(setup('office', 'standby'), 2, false));
  const observing = new AbortController();
  const observed = observe(lives, observing.signal);
  return { root, isLong, writer, service, pair, steady, lives, observing, observed };
}

/** All that goes wrong, for as long as it is to. Answers how often the person changed something. */
async function trouble({ writer, service, pair }: Scene, { seconds, seed, say }: SoakOptions): Promise<number> {
  const over = new AbortController();
  const began = Date.now();
  const busy = Promise.all([
    meddle(service, drawFor(seed, 2), over.signal),
    writer.write(over.signal),
    pair.killInTurn(over.signal),
    again(over.signal, async () => {
      await pause(10_000, over.signal);
      const { commits, deployments, mishaps } = writer.counts;
      const reported = [
        `${Math.round((Date.now() - began) / 1000)} s: ${commits} commits, ${deployments} deployed, ${mishaps} mishaps`,
        `${service.emulator.count()} requests, ${service.faults.count()} failed, ${service.deeds.length} writes`,
        `${pair.kills.length} kills`,
      ];
      say(reported.join('; '));
    }),
  ]);
  await pause(seconds * 1_000);
  over.abort();
  const [meddlings] = await busy;
  service.faults.stop();
  return meddlings;
}

/** Waits until the account is as the last revisions say; what it then lacks is reported. */
async function settle(
  { service: { emulator }, writer: { secret } }: Scene,
  revisions: Readonly<Record<StackName, Revision>>,
): Promise<{ readonly ms: number; readonly deviations: readonly string[] }> {
  const began = Date.now();
  for (;;) {
    const { resources } = emulator.snapshot();
    const found = stackNames.flatMap((name) => [...deviations(resources, name, revisions[name], secret())]);
    const ms = Date.now() - began;
    if (found.length === 0 || ms > settleMs) return { ms, deviations: found };
    await pause(500);
  }
}

async function placesIn(root: string, stack: StackName): Promise<Places> {
  const places = { state: join(root, 'state', stack), secrets: join(root, 'secrets', stack) };
  for (const path of Object.values(places)) await mkdir(path, { recursive: true });
  return places;
}
