import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { AccountData } from '../../src/emulator/account/account-data.ts';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import { directory, sluice, stackFile } from '../cli/terminal.ts';
import type { WrittenObject } from '../generators/item.ts';
import type { Canaries } from '../support/canaries.ts';
import { sampleSize } from '../support/samples.ts';
import { hostileManifests } from './hostile-manifests.ts';

/** How many resources of a kind there are for each field that only one of several may have. */
export const copies = sampleSize(1, 4);

// What a file may be called.
const anything = '@everyone #1\n::error::%0A,:|`<img src=x>[a](b)\u202e##[add-mask]x';

const stack = stackFile
  .replace('base_url: embedded', 'base_url: "http://127.0.0.1:1"')
  .concat('policy: {max_deletes: 10000}\n');

/** A stack in a directory, and the service that it is applied to. */
export interface Company {
  readonly dir: string;
  readonly env: Record<string, string>;
  readonly emulator: Emulator;
}

/** The account with an outsider beside each resource, whose id has the oddest form that ids may have. */
export function withUnmanaged(account: AccountData): AccountData {
  const others = account.resources.map((one, index) => {
    // Nor does it use an authority of the stack: a plan that replaces one in use has an error.
    const { metadata: _, mutual_tls: _used, ...spec } = one.spec;
    return { ...one, id: `~.${String(index)}_-`, seq: account.created + index, spec };
  });
  return {
    ...account,
    created: account.created + others.length,
    resources: [...account.resources, ...others.filter(({ kind }) => kind !== 'Endpoint')],
  };
}

/** The account in which every id is another, wherever it stands. */
export function renamed(account: AccountData): AccountData {
  // The oddest form that an id may have.
  const ids = new Map(account.resources.map(({ id }, index) => [id, `-_.~${String(index)}--`]));
  const text = JSON.stringify(account.resources, (_key, value: unknown) =>
    typeof value === 'string' ? (ids.get(value) ?? value) : value,
  );
  return { ...account, resources: JSON.parse(text) as AccountData['resources'] };
}

/** A stack of plain texts that has been applied, and the service that it is applied to. */
export async function plainCompany(canaries: Canaries): Promise<Company> {
  const dir = await directory({ 'sluice.yaml': stack });
  const emulator = createEmulator({ seed: 1 });
  const { url, close } = await emulator.listen();
  onTestFinished(close);
  const env: Record<string, string> = {
    SLUICE_API_KEY: canaries.plantKey('API key'),
    SLUICE_BASE_URL: url,
    GITHUB_ACTIONS: 'true',
    GITHUB_SERVER_URL: 'https://git.example.com',
    GITHUB_REPOSITORY: 'company/edges',
    GITHUB_SHA: '4f2d1c',
    GITHUB_WORKSPACE: dir,
    GITHUB_STEP_SUMMARY: join(dir, 'summary.md'),
  };
  let count = 0;
  const text = (forms: (text: string) => readonly string[], fits: (text: string) => boolean): string | undefined =>
    forms(`plain-${String(++count)}`).find(fits);
  await writeManifests(dir, hostileManifests({ text, canaries, env }, { copies }));
  const { code, err } = await sluice(dir, 'apply --auto-approve', { env });
  expect([code, err]).toEqual([0, expect.any(String)]);
  return { dir, env, emulator };
}

/** Writes manifests, each in a file of its own whose name means no good either. */
export async function writeManifests(dir: string, manifests: readonly WrittenObject[]): Promise<void> {
  const folder = join(dir, 'manifests');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  const file = (index: number): string => join(folder, `${String(index).padStart(3, '0')}-${anything}.json`);
  await Promise.all(manifests.map((manifest, index) => writeFile(file(index), JSON.stringify(manifest, null, 2))));
}

/** The account with an edge of somebody else for each id and the places that it holds. */
export function withHolders(
  account: AccountData,
  holders: readonly { readonly id: string; readonly hostports: readonly string[] }[],
): AccountData {
  const edges = holders.map(({ id, hostports }, index) => ({
    kind: 'HTTPSEdge',
    id,
    seq: account.created + index,
    created_at: '2026-01-01T00:00:00Z',
    spec: { hostports },
    own: {},
  }));
  return { ...account, created: account.created + edges.length, resources: [...account.resources, ...edges] };
}

/** The manifest of an edge at some places. */
export function edge(name: string, hostports: readonly string[]): WrittenObject {
  return { apiVersion: 'sluice/v1', kind: 'HTTPSEdge', metadata: { name }, spec: { hostports } };
}
