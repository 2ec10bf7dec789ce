import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beginnings, lastRevision, nextRevision, purge, wantedIn, type Revision } from './company.ts';
import type { Draw } from './draw.ts';
import { files } from './items.ts';
import { newLedger, type Ledger } from './ledger.ts';
import { mishaps } from './mishaps.ts';
import { again, pause } from './pause.ts';
import { repositoryIn } from './repository.ts';
import { documentsIn, filesOf, stackNames, type Places, type StackName } from './stack-files.ts';

/** Who writes the manifests: a commit each second, deployed in one of two ways, and now and then a mess. */
export interface Writer {
  /** The directory of a stack, as it is passed to its watches. */
  readonly directory: (stack: StackName) => string;
  readonly ledgers: Readonly<Record<StackName, Ledger>>;
  /** Writes until the signal aborts. */
  readonly write: (signal: AbortSignal) => Promise<void>;
  /** Deploys a last good revision of each stack, and answers what it describes. */
  readonly conclude: () => Promise<Readonly<Record<StackName, Revision>>>;
  readonly secret: () => string;
  readonly counts: { commits: number; deployments: number; mishaps: number; tornWrites: number; purges: number };
}

interface Commit {
  readonly id: string;
  readonly revisions: Readonly<Record<StackName, Revision>>;
  readonly isPurge: boolean;
}

// What stands for longer may be taken for a revision: the settle time of the stacks is 1 s.
const tornMs = 800;

/** Begins with the first revision deployed. */
export async function newWriter(
  root: string,
  places: Readonly<Record<StackName, Places>>,
  draw: Draw,
): Promise<Writer> {
  const repository = await repositoryIn(root);
  const ledgers = { shop: newLedger(), office: newLedger() };
  const counts = { commits: 0, deployments: 0, mishaps: 0, tornWrites: 0, purges: 0 };
  let revisions: Readonly<Record<StackName, Revision>> = beginnings;
  let secret = '';
  await rotate();
  let latest = await commit(beginnings);
  await deploy(repository.swap);

  async function commit(given: Commit['revisions'], isPurge = false): Promise<Commit> {
    const texts = stackNames.map((name) => filesOf(name, given[name], places[name]));
    const subject = `Revision ${given.shop.n}${isPurge ? ', nearly empty' : ''}`;
    const id = await repository.commit(Object.assign({}, ...texts) as Record<string, string>, subject);
    counts.commits += 1;
    return { id, revisions: given, isPurge };
  }

  async function commitNext(): Promise<void> {
    revisions = { shop: nextRevision(revisions.shop, draw), office: nextRevision(revisions.office, draw) };
    const isPurge = draw.happens(0.05);
    latest = await commit(
      isPurge ? { shop: purge(revisions.shop), office: purge(revisions.office) } : revisions,
      isPurge,
    );
    if (draw.happens(0.05)) await rotate();
  }

  async function rotate(): Promise<void> {
    secret = `secret-${draw.below(1_000_000)}`;
    for (const name of stackNames) await writeFile(join(places[name].secrets, 'client-secret'), `${secret}\n`);
  }

  async function deploy(how: (commit: string) => Promise<void>): Promise<void> {
    const { id, revisions: deployed, isPurge } = latest;
    for (const name of stackNames)
      // So many deletions wait for a person, who never comes.
      if (isPurge) ledgers[name].broken();
      else ledgers[name].stands(addressesIn(deployed[name]));
    await how(id);
    counts.deployments += 1;
    if (isPurge) counts.purges += 1;
  }

  /** A file that has only some of its documents for a moment, as an editor or a slow copy leaves it. */
  async function tear(): Promise<void> {
    const tree = await repository.worktree();
    if (tree === undefined) return;
    const name = draw.one(stackNames);
    const file = draw.one(files);
    const path = join(tree, name, 'manifests', file);
    const documents = documentsIn(latest.revisions[name], file, places[name]);
    const kept = documents.slice(0, draw.below(documents.length + 1));
    const began = Date.now();
    await writeFile(path, kept.map(({ text }) => text).join('---\n'));
    await pause(draw.within(50, 500));
    await writeFile(path, documents.map(({ text }) => text).join('---\n'));
    const lost = new Set(documents.slice(kept.length).map(({ address }) => address));
    const left = addressesIn(latest.revisions[name]).filter((address) => !lost.has(address));
    if (Date.now() - began > tornMs && !latest.isPurge) ledgers[name].stands(left, began);
    await deploy(repository.pull);
    counts.tornWrites += 1;
  }

  return {
    directory: (stack) => join(repository.current, stack),
    ledgers,
    counts,
    secret: () => secret,
    write: async (signal) => {
      const committing = again(signal, async () => {
        await Promise.all([commitNext(), pause(1_000, signal)]);
      });
      await again(signal, async (round) => {
        await pause(draw.within(1_200, 4_000), signal);
        // Some rounds by turning the link, some in place.
        const how = round % 12 < 6 ? repository.swap : repository.pull;
        if (draw.happens(0.15)) await tear();
        if (draw.happens(0.3)) {
          for (const name of stackNames) ledgers[name].broken();
          await draw.one(mishaps).happen(repository, draw);
          counts.mishaps += 1;
          await pause(draw.within(200, 5_000), signal);
        }
        await deploy(how);
      });
      await committing;
    },
    conclude: async () => {
      revisions = { shop: lastRevision(revisions.shop), office: lastRevision(revisions.office) };
      latest = await commit(revisions);
      await deploy(repository.swap);
      return revisions;
    },
  };
}

function addressesIn(revision: Revision): readonly string[] {
  return wantedIn(revision).map(({ address }) => address);
}
