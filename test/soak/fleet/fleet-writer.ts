import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lastRevision, nextRevision, wantedIn, type Revision } from '../company.ts';
import type { Draw } from '../draw.ts';
import { beginningOf, fleetStackFile, fleetStacks, manifestsOf } from './fleet-stacks.ts';
import { newLedger, type Ledger } from '../ledger.ts';
import { again, pause } from '../pause.ts';

/** Who writes the manifests of a fleet, and now and then a file with errors, or moves the directory of a stack away for a while. */
export interface FleetWriter {
  /** The directory of the fleet. */
  readonly dir: string;
  readonly ledgers: Readonly<Record<string, Ledger>>;
  /** Writes until the signal aborts; then every directory is back. */
  readonly write: (signal: AbortSignal) => Promise<void>;
  /** Deploys a last good revision of each stack, and returns what it describes. */
  readonly conclude: () => Promise<ReadonlyMap<string, Revision>>;
  readonly counts: { revisions: number; errors: number; vanished: number };
}

/** Begins with the first revision of each stack deployed. */
export async function newFleetWriter(root: string, draw: Draw): Promise<FleetWriter> {
  const dir = join(root, 'stacks');
  const away = join(root, 'away');
  const counts = { revisions: 0, errors: 0, vanished: 0 };
  const ledgers = Object.fromEntries(fleetStacks.map((name) => [name, newLedger()]));
  const revisions = new Map(fleetStacks.map((name) => [name, beginningOf(name)]));
  const troubled = new Map<string, Promise<void>>();
  await mkdir(away, { recursive: true });
  for (const [name, revision] of revisions) {
    await mkdir(join(dir, name, 'manifests'), { recursive: true });
    await writeFile(join(dir, name, 'sluice.yaml'), fleetStackFile(name));
    await deploy(name, revision);
  }

  async function deploy(name: string, revision: Revision): Promise<void> {
    revisions.set(name, revision);
    ledgers[name]?.stands(wantedIn(revision).map(({ address }) => address));
    await replace(name, manifestsOf(revision));
    counts.revisions += 1;
  }

  async function replace(name: string, text: string): Promise<void> {
    await writeFile(join(away, `${name}.yaml`), text);
    await rename(join(away, `${name}.yaml`), join(dir, name, 'manifests/all.yaml'));
  }

  async function commitErrors(name: string, revision: Revision, signal: AbortSignal): Promise<void> {
    ledgers[name]?.broken();
    counts.errors += 1;
    await replace(name, `${manifestsOf(revision)}---\nkind: Lighthouse\nspec: {`);
    await pause(draw.within(2_000, 8_000), signal);
    await deploy(name, nextRevision(revision, draw));
  }

  async function vanish(name: string, revision: Revision, signal: AbortSignal): Promise<void> {
    ledgers[name]?.broken();
    counts.vanished += 1;
    await rename(join(dir, name), join(away, name));
    // Also for longer than the time between two searches.
    await pause(draw.within(500, 16_000), signal);
    await rename(join(away, name), join(dir, name));
    await deploy(name, revision);
  }

  return {
    dir,
    ledgers,
    counts,
    write: async (signal) => {
      await again(signal, async () => {
        await pause(draw.within(300, 1_500), signal);
        const name = draw.one(fleetStacks.filter((one) => !troubled.has(one)));
        const before = revisions.get(name) ?? beginningOf(name);
        const fate = draw.below(10);
        if (signal.aborted) return;
        if (fate > 1) return deploy(name, nextRevision(before, draw));
        const trouble = (fate === 0 ? commitErrors : vanish)(name, before, signal);
        troubled.set(
          name,
          trouble.finally(() => troubled.delete(name)),
        );
      });
      await Promise.all(troubled.values());
    },
    conclude: async () => {
      for (const [name, revision] of revisions) await deploy(name, lastRevision(revision));
      return revisions;
    },
  };
}
