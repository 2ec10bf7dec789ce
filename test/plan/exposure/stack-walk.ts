/*
 * A stack in a directory, with an emulator on a socket, for walks that go the whole way: manifests as files, plans and
 * applies as programs and people run them, and an account that others change.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmulator } from '../../../src/emulator/emulator.ts';
import { isSpecObject, Ref, Secret, type SpecObject, type SpecValue } from '../../../src/kinds/value.ts';
import { type Address, splitAddress } from '../../../src/model/address.ts';
import { hazardCodes, type Hazard, type Plan } from '../../../src/model/plan/plan.ts';
import { openStack } from '../../../src/stack/open-stack.ts';
import { sluice, type Ended } from '../../cli/terminal.ts';
import type { Seen } from '../../support/front-door.ts';
import { withoutOrphans } from './walk-world.ts';
import type { Specs } from '../support.ts';

/** What a manifest says beside its spec. */
export interface Extra {
  readonly name?: string;
  readonly lifecycle?: SpecObject;
}

/** A stack under way. */
export interface StackWalk {
  /** Writes the manifests. */
  readonly write: (specs: Specs, extras: Readonly<Record<Address, Extra>>) => Promise<void>;
  /** The edges of the stack with all their routes, as anybody could read them. */
  readonly reading: () => readonly Seen[];
  /** The same by the specs in state; undefined where state does not know. */
  readonly recorded: () => Promise<readonly Seen[] | undefined>;
  /** The account as specs by address, and how to change it behind the stack's back. */
  readonly specs: () => Specs;
  readonly drift: (specs: Specs) => void;
  /** Plans and applies as a program; writes after the first so many are refused. Undefined where there is no plan. */
  readonly turn: (targets: readonly Address[], most: number) => Promise<Taken | undefined>;
  /** The same by commands. */
  readonly commands: (targets: readonly Address[], most: number) => Promise<Taken | undefined>;
  readonly command: (line: string) => Promise<Ended>;
  readonly loseState: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A plan that was applied, and whether all of it was done. */
export interface Taken {
  readonly plan: Pick<Plan, 'hazards'>;
  readonly isWhole: boolean;
  readonly before: readonly Seen[];
  readonly recorded: readonly Seen[] | undefined;
}

// Two identity providers: texts that differ in a comment alone mean the same.
const metadataOf: Readonly<Record<string, string>> = { '<A/>': 'a', '<B/>': 'b' };
const allowed = hazardCodes.flatMap((code) => ['--allow', code]);

/** Opens a stack with an empty account. */
export async function stackWalk(seed: number): Promise<StackWalk> {
  const emulator = createEmulator({ seed });
  const server = await emulator.listen();
  const dir = await mkdtemp(join(tmpdir(), 'sluice-walk-'));
  const env = { SLUICE_API_KEY: 'key-of-walks', SECRET: 's3cret' };
  await mkdir(join(dir, 'manifests'));
  await writeFile(
    join(dir, 'sluice.yaml'),
    `version: 1\nstack: {name: walk, id: 5c1e7a90}\nmanifests: [manifests]\napi: {base_url: "${server.url}", vendor: example}\npolicy: {max_deletes: 1000}\n`,
  );
  const pem = await readFile('examples/company/files/partners-ca.pem', 'utf8');
  const idp = await readFile('examples/company/files/idp-metadata.xml', 'utf8');

  const asManifest = (value: SpecValue): unknown => {
    if (value instanceof Secret) return { from_env: 'SECRET' };
    if (value instanceof Ref) return { ref: splitAddress(value.to).name };
    if (Array.isArray(value)) return value.map((item: SpecValue) => asManifest(item));
    if (!isSpecObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        name === 'idp_metadata'
          ? idp.replace('/saml/metadata"', `/saml/metadata-${metadataOf[textOf(inner)] ?? ''}"`)
          : asManifest(inner),
      ]),
    );
  };
  const documentOf = (address: Address, spec: SpecObject, { name: given, lifecycle }: Extra): unknown => {
    const { kind, name } = splitAddress(address);
    const [edge = '', match = ''] = name.split(/:(.*)/s);
    const isRoute = kind === 'HTTPSEdgeRoute';
    const own = isRoute
      ? { edge_id: { ref: edge }, match, match_type: 'path_prefix' }
      : { description: name, ...(kind === 'CertificateAuthority' ? { ca_pem: pem } : {}) };
    const { ca_pem: _, ...rest } = asManifest(spec) as Record<string, unknown>;
    return {
      apiVersion: 'sluice/v1',
      kind,
      metadata: isRoute ? (given === undefined ? {} : { name: given }) : { name },
      ...(lifecycle === undefined ? {} : { lifecycle }),
      spec: { ...own, ...rest },
    };
  };

  const resources = () => emulator.snapshot().resources;
  const authorities = (): ReadonlyMap<string, string> =>
    new Map(
      resources().flatMap(({ kind, id, spec }) =>
        kind === 'CertificateAuthority' ? [[id, `ca_${textOf(spec['description'])}`]] : [],
      ),
    );
  const shown = (value: SpecValue, names: ReadonlyMap<string, string>): SpecValue => {
    if (Array.isArray(value)) return value.map((item: SpecValue) => shown(item, names));
    if (isSpecObject(value))
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shown(inner, names)]));
    if (typeof value !== 'string') return value;
    const [, which] = /saml\/metadata-([ab])"/.exec(value) ?? [];
    return which === undefined ? (names.get(value) ?? value) : which === 'a' ? '<A/>' : '<B/>';
  };
  const addressOf = ({ kind, spec, parent }: Seen): Address => {
    if (kind !== 'HTTPSEdgeRoute') return `${kind}/${textOf(spec['description'])}`;
    const edge = resources().find(({ id }) => id === parent);
    return `${kind}/${textOf(edge?.spec['description'])}:${textOf(spec['match'])}`;
  };
  const isAbout = ({ kind }: Seen): boolean => kind === 'HTTPSEdge' || kind === 'HTTPSEdgeRoute';
  const reading = (): readonly Seen[] => {
    const names = authorities();
    return resources()
      .filter(isAbout)
      .map((one) => ({ ...one, spec: asRead(shown(one.spec, names) as SpecObject, isUnread(one)) }));
  };
  const isUnread = ({ id, parent }: Seen): boolean =>
    JSON.stringify(resources().find((one) => one.id === (parent ?? id))?.spec ?? {}).includes('"upstream"');
  const stateFile = join(dir, '.sluice/state.json');
  const recorded = async (): Promise<readonly Seen[] | undefined> => {
    const text = await readFile(stateFile, 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const entries = Object.values((JSON.parse(text) as { entries: Record<string, Seen & { rebuilt?: true }> }).entries);
    return entries.some(({ rebuilt }) => rebuilt === true) ? undefined : entries.filter(isAbout);
  };

  /** Runs something while writes after the first so many are refused. */
  async function refusing<T>(most: number, run: () => Promise<T>): Promise<T> {
    let writes = 0;
    const stop = emulator.intercept(({ method }, next) =>
      method === 'GET' || ++writes <= most
        ? next()
        : {
            status: 400,
            headers: { 'content-type': 'application/json' },
            body: '{"error_code":"ERR","status_code":400,"msg":"no"}',
          },
    );
    try {
      return await run();
    } finally {
      stop();
    }
  }
  const command = (line: string): Promise<Ended> => sluice(dir, line, { env });

  return {
    reading,
    recorded,
    write: (specs, extras) =>
      writeFile(
        join(dir, 'manifests/all.yaml'),
        Object.entries(specs)
          .map(([address, spec]) => JSON.stringify(documentOf(address, spec, extras[address] ?? {})))
          .join('\n---\n'),
      ),
    specs: () =>
      Object.fromEntries(
        resources()
          .filter(isAbout)
          .map((one) => {
            const { description: _, metadata: __, match: ___, edge_id: ____, ...spec } = one.spec;
            return [addressOf(one), spec];
          }),
      ),
    drift: (wanted) => {
      const account = emulator.snapshot();
      const specs = withoutOrphans(wanted);
      const kept = account.resources.flatMap((one) => {
        const address = addressOf(one);
        if (!isAbout(one)) return [one];
        const spec = specs[address];
        const { description = null, metadata = null, match = null, edge_id = null } = one.spec;
        const own = Object.fromEntries(
          Object.entries({ description, metadata, match, edge_id }).filter(([, value]) => value !== null),
        );
        return spec === undefined
          ? []
          : [{ ...one, spec: { ...own, ...(resolved(spec, authorities()) as SpecObject) } }];
      });
      const there = new Set(account.resources.map(addressOf));
      const added = Object.entries(specs).flatMap(([address, spec], index) => {
        const { kind, name } = splitAddress(address);
        const [edge = '', match = ''] = name.split(/:(.*)/s);
        const parent = account.resources.find((one) => addressOf(one) === `HTTPSEdge/${edge}`)?.id;
        if (kind !== 'HTTPSEdgeRoute' || there.has(address) || parent === undefined) return [];
        const id = `edghtsrt_outside${String(account.drawn)}${String(index)}`;
        const seq = account.created + index;
        return [
          {
            kind,
            id,
            parent,
            seq,
            created_at: '2026-01-01T00:00:00Z',
            spec: { match, match_type: 'path_prefix', edge_id: parent, ...spec },
            own: {},
          },
        ];
      });
      emulator.restore({ ...account, created: account.created + 100, resources: [...kept, ...added] });
    },
    turn: async (targets, most) => {
      const stack = await openStack({ dir, env, writes: true });
      try {
        const [before, known] = [reading(), await recorded()];
        const plan = await stack.plan({
          allow: hazardCodes,
          acceptMissing: true,
          allowEmpty: true,
          ...(targets.length === 0 ? {} : { target: targets }),
        });
        const { changes } = await refusing(most, () => stack.apply(plan));
        return { plan, before, recorded: known, isWhole: changes.every(({ ending }) => ending === 'done') };
      } catch {
        return undefined;
      } finally {
        await stack.close();
      }
    },
    commands: async (targets, most) => {
      const flags = [
        '--accept-missing',
        '--allow-empty',
        ...allowed,
        ...targets.flatMap((one) => ['--target', one]),
      ].join(' ');
      const [before, known] = [reading(), await recorded()];
      const planned = await command(`plan --format json ${flags}`);
      if (planned.code !== 0) return undefined;
      const { hazards } = JSON.parse(planned.out) as { readonly hazards: readonly Hazard[] };
      const { code } = await refusing(most, () => command(`apply --auto-approve ${flags}`));
      return { plan: { hazards }, before, recorded: known, isWhole: code === 0 };
    },
    command,
    loseState: () => rm(join(dir, '.sluice'), { recursive: true, force: true }),
    close: async () => {
      await server.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** What counts of a spec: no module can act on requests that pass an edge unread. */
function asRead(spec: SpecObject, isUnread: boolean): SpecObject {
  if (!isUnread) return spec;
  const kept = ['match', 'match_type', 'hostports', 'backend', 'traffic_policy', 'description'];
  return { ...Object.fromEntries(Object.entries(spec).filter(([name]) => kept.includes(name))), unread: true };
}

/** A spec as the service stores it. */
function resolved(value: SpecValue, authorities: ReadonlyMap<string, string>): SpecValue {
  if (value instanceof Secret) return value.reveal();
  if (value instanceof Ref)
    return [...authorities].find(([, name]) => name === `ca_${splitAddress(value.to).name}`)?.[0] ?? 'ca_none';
  if (Array.isArray(value)) return value.map((item: SpecValue) => resolved(item, authorities));
  if (!isSpecObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner === null ? [] : [[key, resolved(inner, authorities)]])),
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
