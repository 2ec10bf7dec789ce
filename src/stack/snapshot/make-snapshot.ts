import { randomBytes } from 'node:crypto';
import { externalValuesIn } from '../../derive/external/external-values-in.ts';
import { joinMetadata, splitMetadata, stackIdOf } from '../../derive/marker.ts';
import { maskExternal } from '../../derive/external/mask-external.ts';
import { maskOutside } from '../../derive/external/mask-outside.ts';
import { actualValue } from '../../derive/wire/actual-value.ts';
import { toState } from '../../derive/stored/to-state.ts';
import { kinds } from '../../kinds/index.ts';
import type { ServedEndpoint } from '../../kinds/served-endpoint.ts';
import { isSpecObject, type SpecValue } from '../../kinds/value.ts';
import type { Account, Actual } from '../../model/actual.ts';
import type { DesiredStack } from '../../model/resource.ts';
import type { Stack } from '../../model/stack.ts';
import type { State } from '../../model/state.ts';
import { present } from '../../model/present.ts';
import { outputResources } from '../../plan/referenced-values.ts';
import { endpointKeys, idKey, keyedHash, naturalKeysOf } from './natural-keys.ts';
import { snapshotText, hideState } from './snapshot-text.ts';

/** What a snapshot is made from. */
export interface ToTake {
  readonly stack: Pick<Stack, 'name' | 'id'>;
  /** The address of the service. */
  readonly service: string;
  readonly takenAt: string;
  readonly revision: string | undefined;
  /** With resources of every kind. */
  readonly account: Account;
  readonly endpoints: readonly ServedEndpoint[];
  readonly state: State | undefined;
  /** The manifests, which contain the sources of values. */
  readonly desired: DesiredStack;
  readonly digest: (text: string) => string;
}

/** The text of a snapshot, and how many resources are in it. */
export interface NewSnapshot {
  readonly text: string;
  readonly resources: number;
}

/** Makes a snapshot: of the resources of the stack all but secrets, of others what a conflict with them is found by. */
export function makeSnapshot(given: ToTake): NewSnapshot {
  const { stack, service, takenAt, revision, account, endpoints, state, desired, digest } = given;
  const salt = randomBytes(16).toString('base64url');
  const hashed = keyedHash(salt);
  const { own, others } = split(account, desired, state, stack.id);
  const ownIds = new Set(own.map(({ id }) => id));
  const isOwn = ({ server, address }: ServedEndpoint): boolean => ownIds.has(server ?? '') || ownIds.has(address ?? '');
  const text = snapshotText({
    stack: { name: stack.name, id: stack.id },
    account: service,
    taken_at: takenAt,
    ...(revision === undefined ? {} : { revision }),
    salt,
    ...(state === undefined ? {} : { state: hideState(state, digest) }),
    resources: [...masked(own, account, desired, digest), ...outputsOnly(account, desired)],
    other_resources: others.map(({ kind: name, id, spec }) => {
      const kind = kinds.named(name);
      const natural = kind === undefined ? [] : naturalKeysOf(kind, spec);
      return { kind: name, keys: [idKey(name, id), ...natural.map(({ key }) => key)].map(hashed) };
    }),
    endpoints: endpoints.filter(isOwn).map(withMarkerOnly),
    other_endpoints: endpoints
      .filter((one) => !isOwn(one))
      .map((one) => ({ keys: endpointKeys(one).map(hashed), has_server: one.server !== undefined })),
  });
  return { text, resources: own.length };
}

/** What metadata contains beside the marker may be a value from outside. */
function withMarkerOnly(endpoint: ServedEndpoint): ServedEndpoint {
  const { marker } = splitMetadata(endpoint.metadata);
  return { ...endpoint, metadata: marker === undefined ? '' : joinMetadata('', marker) };
}

/** Resources of the stack, with all that they contain and are contained in; and those of other owners. */
function split(
  { ours, foreign, duplicates = [], deposed = [] }: Account,
  { resources }: DesiredStack,
  state: State | undefined,
  stackId: string,
): { readonly own: readonly Actual[]; readonly others: readonly Actual[] } {
  const all = [...ours.values(), ...[...duplicates, ...deposed].map(({ actual }) => actual)];
  const adopted = new Set(resources.flatMap(({ lifecycle: { adopt } }) => adopt ?? []));
  const isOwn = ({ id, marker }: Actual): boolean =>
    (marker !== undefined && stackIdOf(marker) === stackId) ||
    adopted.has(id) ||
    (state?.forgotten !== undefined && Object.hasOwn(state.forgotten, id));
  const roots = new Set([...all, ...foreign.filter(isOwn)].map(rootOf));
  const seen = [...new Set([...all, ...foreign])];
  return {
    own: seen.filter((actual) => roots.has(rootOf(actual))),
    others: seen.filter((actual) => !roots.has(rootOf(actual))),
  };
}

/** Of the resources of other stacks whose values the manifests take, these values, and what they are found by. */
function outputsOnly(account: Account, { resources }: DesiredStack): readonly Actual[] {
  const resourcesOf = outputResources(account);
  const byId = new Map(account.foreign.map((one) => [one.id, one]));
  const taken = new Map<string, Actual>();
  for (const { ref } of resources.flatMap(({ references = [] }) => references))
    for (const actual of ref.output === undefined ? [] : resourcesOf(ref.output)) {
      const root = byId.get(actual.parent ?? '');
      if (root !== undefined) taken.set(root.id, taken.get(root.id) ?? withoutValues(root));
      const known = taken.get(actual.id) ?? withoutValues(actual);
      const value = actualValue(actual, ref.field ?? '');
      const nested = [...(ref.field ?? '').split('.')]
        .reverse()
        .reduce<SpecValue>((inner, name) => ({ [name]: inner }), value ?? null);
      taken.set(actual.id, { ...known, computed: { ...known.computed, ...(isSpecObject(nested) ? nested : {}) } });
    }
  return [...taken.values()];
}

function withoutValues({ kind, id, parent, marker }: Actual): Actual {
  return { kind, id, ...present({ parent, marker }), spec: {}, computed: {} };
}

function rootOf({ id, parent }: Actual): string {
  return parent ?? id;
}

/** Masks by the manifests what comes from outside; the refresh has done so by state. */
function masked(
  own: readonly Actual[],
  { ours }: Account,
  { resources }: DesiredStack,
  digest: (text: string) => string,
): readonly Actual[] {
  const desired = new Map(resources.map((one) => [one.address, one.spec]));
  const wanted = new Map(
    [...ours].flatMap(([address, { id }]) => {
      const spec = desired.get(address);
      return spec === undefined ? [] : [[id, spec] as const];
    }),
  );
  const external = resources.flatMap(({ kind, spec }) =>
    externalValuesIn(kind, toState(kinds.named(kind)?.fields ?? {}, spec, digest)),
  );
  const maskEqual = maskExternal(external, digest);
  return own.map((actual) => {
    const kind = kinds.named(actual.kind);
    const spec = wanted.get(actual.id);
    if (kind === undefined) return actual;
    const byPlace = spec === undefined ? actual.spec : maskOutside(kind.fields, actual.spec, spec);
    return { ...actual, spec: maskEqual(kind, byPlace, undefined) };
  });
}
