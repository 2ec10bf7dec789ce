import { splitMetadata, stackIdOf } from '../derive/marker.ts';
import { offers } from '../derive/wire/operations.ts';
import type { Kind, KindSet } from '../kinds/kind.ts';
import type { ServedEndpoint } from '../kinds/served-endpoint.ts';
import type { Actual } from '../model/actual.ts';
import { splitAddress, type Address } from '../model/address.ts';
import { ByInstance } from '../model/by-instance.ts';
import { emptyList } from '../model/empty.ts';
import { addToGroup } from '../model/group-by.ts';
import { isId } from '../model/id.ts';
import { inSlices, type Pause } from '../model/sliced.ts';
import type { Stack } from '../model/stack.ts';
import type { Entry, State } from '../model/state.ts';
import type { AccountSource, ResourceFamily } from './account-source.ts';
import { limited } from './limited.ts';
import { maskFromState } from './mask-from-state.ts';

/** A live resource that a manifest adopts. */
export type ToAdopt = Pick<Actual, 'kind' | 'id' | 'parent'>;

/** What to read, and from where. */
export interface ReadAccountOptions {
  readonly source: AccountSource;
  readonly kinds: KindSet;
  readonly stack: Stack;
  /** Undefined when nothing is remembered: then everything is read. */
  readonly state: State | undefined;
  /** Names of the kinds that manifests describe. */
  readonly wanted: ReadonlySet<string>;
  /** Reads also what neither manifests nor state know. */
  readonly everything?: boolean;
  /** Every address that manifests describe. */
  readonly addresses: ReadonlySet<Address>;
  readonly adopt?: readonly ToAdopt[];
  /** What manifests nest resources in by its id, whoever manages it. */
  readonly parents?: readonly Pick<Actual, 'kind' | 'id'>[];
  readonly parallelism?: number;
  /** Called with the number of resources read so far. */
  readonly onProgress?: (seen: number) => void;
  /** Lets other work of the process run. */
  readonly pause?: Pause | undefined;
}

/** What was read from the account. */
export interface AccountReading {
  readonly seen: readonly Actual[];
  /** Kinds of which all resources were read that the service shows. */
  readonly complete: ReadonlySet<string>;
  /** The endpoints that are served; absent if they were not needed. */
  readonly served?: readonly ServedEndpoint[];
}

/** Reads what a plan needs, with the fewest requests: lists whole, single resources only where a list does not show them. */
export async function readAccount(options: ReadAccountOptions): Promise<AccountReading> {
  const { source, kinds, stack, state } = options;
  const inLine = limited(options.parallelism ?? 10);
  const entries = Object.values(state?.entries ?? {});
  // By kind and id of a top-level resource: the resource with its nested ones, as last returned.
  const seen = new ByInstance<{ family: ResourceFamily }>();
  const inOrder: { family: ResourceFamily }[] = [];
  const asked = new ByInstance<true>();
  // Found when the first list is read: no request waits for it.
  let idsByKind: ReadonlyMap<string, readonly string[]> | undefined;
  const idsOf = ({ name }: Kind): readonly string[] => (idsByKind ??= idsKnown(entries, options)).get(name) ?? [];
  let count = 0;

  // Lists with many pages take longest, so they start first; reads of single resources fill the gaps.
  const roots = rootsToSee(entries, options).map((kind) => ({ kind, ...offers(kind, stack.profile) }));
  const lists = new Map(roots.filter(({ list }) => list).map(({ kind }) => [kind.name, inLine(() => readList(kind))]));
  let served: Promise<readonly ServedEndpoint[]> | undefined;
  const endpoints = (): Promise<readonly ServedEndpoint[]> => (served ??= inLine(source.endpoints));
  const unlisted = roots.filter(({ kind, list }) => !list && kind.traffic?.listens !== undefined);
  if (unlisted.some(({ kind }) => mayBeUnknown(kind))) void endpoints().catch(() => undefined);
  await Promise.all(
    roots.map(async ({ kind, get }) => {
      await lists.get(kind.name);
      if (get) await readEach(kind, idsOf(kind));
    }),
  );
  await Promise.all(roots.flatMap(({ kind, list, get }) => (list && get ? readAgain(kind) : [])));
  await Promise.all(
    unlisted.map(async ({ kind }) => {
      // A resource that no longer exists may have been created again under another id.
      const isMissed = idsOf(kind).some((id) => seen.get(kind.name, id) === undefined);
      if (isMissed || mayBeUnknown(kind))
        await readEach(
          kind,
          (await endpoints()).filter(isOurs).flatMap(({ server = '' }) => (isId(server) ? [server] : [])),
        );
    }),
  );
  return {
    seen: await inSlices(maskFromState(allSeen(), kinds, state), options.pause),
    complete: new Set(roots.flatMap(withInner)),
    ...(served === undefined ? {} : { served: await served }),
  };

  function see(kind: Kind, family: ResourceFamily): void {
    const { id } = family[0];
    const before = seen.get(kind.name, id);
    if (before === undefined) {
      const one = { family };
      seen.set(kind.name, id, one);
      inOrder.push(one);
    } else before.family = family;
    options.onProgress?.(++count);
  }

  function allSeen(): readonly Actual[] {
    return inOrder.flatMap(({ family }) => family);
  }

  async function readList(kind: Kind): Promise<void> {
    for await (const family of source.list(kind)) see(kind, family);
  }

  async function readEach(kind: Kind, ids: readonly string[]): Promise<void> {
    const unknown = new Set(ids.filter((id) => seen.get(kind.name, id) === undefined && !isAsked(kind, id)));
    for (const id of unknown) asked.set(kind.name, id, true);
    await Promise.all([...unknown].map((id) => inLine(() => readOne(kind, id))));
  }

  function isAsked(kind: Kind, id: string): boolean {
    return asked.get(kind.name, id) !== undefined;
  }

  async function readOne(kind: Kind, id: string): Promise<void> {
    const family = await source.get(kind, id);
    if (family !== undefined) see(kind, family);
  }

  /** A list may lag behind: where it shows a resource without a nested one that state knows, the resource is read once by its id. */
  async function readAgain(kind: Kind): Promise<void> {
    const inner = new Set(kinds.within(kind.name).map(({ name }) => name));
    const known = inner.size === 0 ? [] : entries.filter((entry) => inner.has(entry.kind));
    if (known.length === 0) return;
    const shown = new ByInstance<true>();
    for (const one of allSeen()) if (inner.has(one.kind)) shown.set(one.kind, one.id, true);
    const lacking = known.flatMap(({ kind: name, id, parent }) => {
      if (parent === undefined || shown.get(name, id) !== undefined) return [];
      return seen.get(kind.name, parent) !== undefined && !isAsked(kind, parent) ? [parent] : [];
    });
    await Promise.all([...new Set(lacking)].map((id) => inLine(() => readOne(kind, id))));
  }

  /** Whether this stack may own resources of a kind that are not in state. */
  function mayBeUnknown(kind: Kind): boolean {
    if (state === undefined || options.everything === true) return true;
    if (Object.values(state.intents ?? {}).some((intent) => intent.kind === kind.name)) return true;
    return [...options.addresses].some(
      (address) => splitAddress(address).kind === kind.name && !Object.hasOwn(state.entries, address),
    );
  }

  function isOurs({ metadata }: ServedEndpoint): boolean {
    const { marker } = splitMetadata(metadata);
    return marker !== undefined && stackIdOf(marker) === stack.id;
  }

  function withInner({ kind }: { readonly kind: Kind }): string[] {
    return [kind.name, ...kinds.within(kind.name).map(({ name }) => name)];
  }
}

/** The ids that are known from state and manifests, by kind, including those of parents. */
function idsKnown(
  entries: readonly Entry[],
  { kinds, state, adopt = [], parents = [] }: ReadAccountOptions,
): Map<string, string[]> {
  const known = new Map<string, string[]>();
  const add = (kind: string, id: string | undefined, parent: string | undefined): void => {
    if (id !== undefined) addToGroup(known, kind, id);
    const parentKind = kinds.named(kind)?.within?.kind;
    if (parentKind !== undefined && parent !== undefined) addToGroup(known, parentKind, parent);
  };
  for (const { kind, id, parent, deposed = emptyList } of entries) {
    add(kind, id, parent);
    for (const old of deposed) add(kind, old, parent);
  }
  for (const { kind, id, parent } of adopt) add(kind, id, parent);
  for (const { kind, id } of parents) add(kind, id, undefined);
  // A nested resource that an earlier run was creating is found by reading its parent.
  for (const { kind, parent } of Object.values(state?.intents ?? {})) add(kind, undefined, parent);
  return known;
}

// Kinds with manifests or with resources in state; without a state, all kinds. A nested kind is read with its parent.
function rootsToSee(entries: readonly Entry[], { kinds, state, wanted, adopt = [] }: ReadAccountOptions): Kind[] {
  const outer = kinds.all.filter(({ within }) => within === undefined);
  if (state === undefined) return outer;
  const named = new Set([
    ...wanted,
    ...entries.map(({ kind }) => kind),
    // A run that crashed may have left a resource that it was creating.
    ...Object.values(state.intents ?? {}).map(({ kind }) => kind),
    ...adopt.map(({ kind }) => kind),
  ]);
  return outer.filter((kind) => [kind, ...kinds.within(kind.name)].some(({ name }) => named.has(name)));
}
