import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { InvalidInput } from '../../diagnostics/errors.ts';
import { kinds } from '../../kinds/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { ServedEndpoint } from '../../kinds/served-endpoint.ts';
import type { Actual } from '../../model/actual.ts';
import { groupBy } from '../../model/group-by.ts';
import type { DesiredStack } from '../../model/resource.ts';
import type { AccountSource, ResourceFamily } from '../../refresh/account-source.ts';
import { parentWithId } from '../plan/refresh-stack.ts';
import { endpointKeys, idKey, keyedHash, naturalKeysOf, type NaturalKey } from './natural-keys.ts';
import type { Snapshot } from './snapshot-text.ts';

// A snapshot has no id of another owner's resource.
const unknownId = '(the snapshot does not record the id)';

/** Reads the account from a snapshot. Of other owners' resources, it knows what the manifests want to have as well. */
export function snapshotSource({ file, resources }: Snapshot, desired: DesiredStack): AccountSource {
  const hmac = keyedHash(file.salt);
  requireListed(file, desired, hmac);
  const wanted = new Map<string, NaturalKey>();
  const places = new Map<string, string>();
  for (const { kind: name, spec } of desired.resources) {
    const kind = kinds.named(name);
    for (const natural of kind === undefined ? [] : naturalKeysOf(kind, spec)) {
      wanted.set(hmac(natural.key), natural);
      for (const key of endpointKeys({ hostport: natural.value })) places.set(hmac(key), natural.value.toLowerCase());
    }
  }
  const families = familiesIn(resources);
  return {
    list: (kind) => [
      ...families.filter(([{ kind: name }]) => name === kind.name),
      ...file.other_resources.filter((one) => one.kind === kind.name).flatMap(({ keys }) => other(kind, keys)),
    ],
    get: (kind, id) => Promise.resolve(families.find(([one]) => one.kind === kind.name && one.id === id)),
    endpoints: () => Promise.resolve([...file.endpoints, ...file.other_endpoints.map(otherEndpoint)]),
  };

  function other(kind: Kind, keys: readonly string[]): ResourceFamily[] {
    const found = keys.flatMap((key) => wanted.get(key) ?? []);
    if (found.length === 0) return [];
    const spec = Object.fromEntries(
      [...groupBy(found, ({ field }) => field)].map(([field, keys]) => {
        const values = keys.map(({ value }) => value);
        return [field, keys[0]?.isInList === true ? values : (values[0] ?? null)];
      }),
    );
    return [[{ kind: kind.name, id: unknownId, spec, computed: {} }]];
  }

  function otherEndpoint({ keys, has_server: hasServer }: (typeof file.other_endpoints)[number]): ServedEndpoint {
    const hostport = keys.map((key) => places.get(key)).find((place) => place !== undefined) ?? '';
    return { id: unknownId, url: '', hostport, metadata: '', ...(hasServer ? { server: unknownId } : {}) };
  }
}

/** Throws if the manifests name a resource of another owner by its id: a snapshot does not have its fields. */
function requireListed(
  { other_resources: others }: Snapshot['file'],
  { resources }: DesiredStack,
  hmac: (key: string) => string,
): void {
  const hidden = new Set(others.flatMap(({ keys }) => keys));
  const diagnostics = resources.flatMap((one) => {
    const { address, kind: name, lifecycle, place, places } = one;
    const parent = parentWithId(one);
    const named = [
      ...(lifecycle.adopt === undefined ? [] : [{ kind: name, id: lifecycle.adopt, place }]),
      ...(parent === undefined ? [] : [{ ...parent, place: places.of([kinds.named(name)?.within?.by ?? '']) }]),
    ];
    return named
      .filter(({ kind, id }) => hidden.has(hmac(idKey(kind, id))))
      .map(({ kind, id, place: at }): Diagnostic => ({
        code: 'NOT_IN_SNAPSHOT',
        severity: 'error',
        address,
        place: at,
        message: `the manifest refers to the unmanaged ${kind} ${id}, which the snapshot does not contain`,
        hint: 'run the plan without --snapshot, with access to the account',
      }));
  });
  if (diagnostics.length > 0) throw new InvalidInput(diagnostics);
}

/** Resources that are in no other, each with those inside it. */
function familiesIn(resources: readonly Actual[]): readonly ResourceFamily[] {
  const inside = groupBy(resources, ({ parent }) => parent);
  return (inside.get(undefined) ?? []).map((root): ResourceFamily => [root, ...(inside.get(root.id) ?? [])]);
}
