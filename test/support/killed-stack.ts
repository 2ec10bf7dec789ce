import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import { fileStore } from '../../src/state/file/file-store.ts';
import { startProgram, type Running } from './processes.ts';

/** A stack against an emulator on a socket, for processes that come to a bad end. */
export interface KilledStack {
  readonly dir: string;
  readonly url: string;
  readonly emulator: Emulator;
  readonly run: (args: readonly string[], shell?: (command: string) => string) => Running;
  readonly apply: () => Running;
  readonly write: (manifests: string) => Promise<void>;
  /** Insists that the state can be read and was not set back. */
  readonly mustBeWhole: () => Promise<void>;
  /** Applies until all is done, and insists that it soon is, that nothing is left to do and that nothing is there twice. */
  readonly mustConverge: (addresses: readonly string[]) => Promise<void>;
}

/** Another stack to share an account with. */
export interface Neighbour {
  readonly of: KilledStack;
  readonly name: string;
  readonly id: string;
}

/** A stack with a state of its own, in a directory that is gone with the test. */
export async function killedStack(neighbour?: Neighbour): Promise<KilledStack> {
  const { name = 'company', id = '5c1e7a90', of } = neighbour ?? {};
  const emulator = of?.emulator ?? createEmulator();
  const { url, close } = of === undefined ? await emulator.listen() : { url: of.url, close: () => Promise.resolve() };
  const dir = await mkdtemp(join(tmpdir(), 'sluice-kill-'));
  onTestFinished(async () => {
    await close();
    await rm(dir, { recursive: true, force: true });
  });
  await mkdir(join(dir, 'manifests'));
  await writeFile(
    join(dir, 'sluice.yaml'),
    `version: 1\nstack: {name: ${name}, id: ${id}}\nmanifests: [manifests]\npolicy: {max_deletes: 100}\napi: {base_url: "${url}", vendor: example}\n`,
  );
  const run: KilledStack['run'] = (args, shell) => startProgram(dir, args, { SLUICE_API_KEY: 'right' }, shell);
  const apply = (): Running => run(['apply', '--auto-approve']);
  let serial = 0;

  async function mustBeWhole(): Promise<void> {
    const path = join(dir, '.sluice/state.json');
    const store = fileStore({ path, lineage: id, account: url, writer: { version: '', command: '' } });
    const found = (await store.load())?.serial ?? 0;
    expect(found).toBeGreaterThanOrEqual(serial);
    serial = found;
  }

  return {
    dir,
    url,
    emulator,
    run,
    apply,
    write: (manifests) => writeFile(join(dir, 'manifests/all.yaml'), manifests),
    mustBeWhole,
    mustConverge: async (addresses) => {
      const first = await apply().ended;
      if (first.code !== 0) expect(await apply().ended).toMatchObject({ code: 0 });
      expect(await run(['plan', '--detailed-exitcode']).ended).toMatchObject({ code: 0 });
      expect(marked(emulator)).toEqual([...addresses].sort());
      await mustBeWhole();
    },
  };
}

/** The address in the marker of every resource that the emulator holds. */
export function marked(emulator: Emulator): string[] {
  return emulator
    .snapshot()
    .resources.flatMap(({ spec }) => /"a":"([^"]+)"/.exec(JSON.stringify(spec).replaceAll('\\', ''))?.[1] ?? [])
    .sort();
}
