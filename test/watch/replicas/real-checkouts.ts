import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { directory } from '../../cli/terminal.ts';
import { gitStack } from '../../support/git-stack.ts';
import { quota } from './simulated-account.ts';
import { brokenStack, isStated, pathOf, type FleetSizes } from './simulation.ts';

/** How many there are of each where a turn takes real time. */
export const realSizes: FleetSizes = { replicas: 3, stacks: 12, accounts: 3 };

const revisions = 8;

/** The working copies of the replicas, one for each place, which simulations use one after the other. */
export interface Checkouts {
  readonly dirOf: (place: number, path: string) => string;
  readonly checkOut: (place: number, revision: number) => void;
}

/** Clones a repository with every revision of every stack. */
export async function cloneForReplicas(): Promise<Checkouts> {
  const origin = await gitStack({});
  const commits = Array.from({ length: revisions }, (_, revision) => origin.commit(filesAt(revision)));
  const places = await Promise.all(Array.from({ length: realSizes.replicas }, () => directory()));
  for (const place of places) execFileSync('git', ['clone', '-q', origin.dir, place], { stdio: 'pipe' });
  return {
    dirOf: (place, path) => join(places[place] ?? '', path),
    checkOut: (place, revision) =>
      void execFileSync('git', ['checkout', '-q', commits[revision] ?? ''], { cwd: places[place], stdio: 'pipe' }),
  };
}

/** What the resources of a stack say at a revision. */
export function describedAt(path: string, revision: number): string {
  return `${path} at revision ${String(revision)}`;
}

function filesAt(revision: number): Record<string, string> {
  const all = Array.from({ length: realSizes.stacks }, (_, n) => {
    const path = pathOf(n);
    const account = n % realSizes.accounts;
    const rate = isStated(account, realSizes) ? `, rate_limit: ${String(quota)}/60s` : '';
    const address = (name: string): string =>
      `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: ${name}}\nlifecycle: {protect: false}\nspec: {description: ${describedAt(path, revision)}}\n`;
    return {
      [`${path}/sluice.yaml`]: `version: 1
api: {vendor: example, key: {from_env: SLUICE_KEY_${String(account)}}${rate}}
stack: {name: ${path}, id: "${String(n).padStart(8, '0')}"}
manifests: [manifests]
watch: {interval: 5m}
policy: {max_deletes: 100}
`,
      // One resource of each revision is another one's successor: something is created and something deleted.
      [`${path}/manifests/all.yaml`]:
        n === brokenStack ? 'kind: [' : ['a', 'b', `c-${String(revision)}`].map(address).join('---\n'),
    };
  });
  return Object.assign({}, ...all) as Record<string, string>;
}
