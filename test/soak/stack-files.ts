import { stringify } from 'yaml';
import { maxDeletes, wantedIn, type Revision } from './company.ts';
import { files, manifestOf } from './items.ts';

/** The two stacks that share an account: replicas of the first are killed, those of the second live as long as the soak. */
export const stacks = {
  shop: { name: 'shop', id: '5c1e7a90' },
  office: { name: 'office', id: '0ff1ce00' },
} as const;

/** Which of the two. */
export type StackName = keyof typeof stacks;

/** Every stack. */
export const stackNames = ['shop', 'office'] as const satisfies readonly StackName[];

/** Where a stack keeps what must not be swapped away, and its one secret. */
export interface Places {
  readonly state: string;
  readonly secrets: string;
}

/** All files of a stack, by their path in the repository. */
export function filesOf(name: StackName, revision: Revision, places: Places): Record<string, string> {
  const manifests = files.map((file): [string, string] => [
    `${name}/manifests/${file}`,
    documentsIn(revision, file, places)
      .map(({ text }) => text)
      .join('---\n'),
  ]);
  return { ...Object.fromEntries(manifests), [`${name}/sluice.yaml`]: stackFile(name, places) };
}

/** The documents of a file, in order. */
export function documentsIn(
  revision: Revision,
  file: string,
  { secrets }: Places,
): { readonly address: string; readonly text: string }[] {
  return wantedIn(revision)
    .filter((item) => item.file === file)
    .map((item) => ({ address: item.address, text: manifestOf(item, `${secrets}/client-secret`) }));
}

function stackFile(name: StackName, { state, secrets }: Places): string {
  return stringify({
    version: 1,
    stack: stacks[name],
    manifests: ['manifests'],
    api: { vendor: 'example' },
    policy: { max_deletes: maxDeletes },
    state: { path: `${state}/state.json` },
    secrets: { dirs: [secrets] },
    watch: {
      heal_drift: true,
      prune: true,
      interval: '3s',
      debounce: '1s',
      scan_interval: '2s',
      max_retry_delay: '20s',
    },
  });
}
