import type { Profile } from '../../kinds/kind.ts';
import { Ref } from '../../kinds/value.ts';
import { addressOf, splitAddress } from '../../model/address.ts';
import { present } from '../../model/present.ts';
import { externalKind, type External } from '../check/external.ts';
import { nearName, referenceHint } from '../read/near-name.ts';
import type { ManifestProblem } from '../check/problems.ts';
import type { Written } from '../read/written.ts';

/** What a reference stands for: an address, an id, or nothing and why. */
export interface FoundRef {
  readonly value?: Ref | string;
  readonly complaint?: () => ManifestProblem;
}

/** Everything references may name. */
export interface RefTable {
  /** What is wrong with an id that is written out: it is the name of a resource. */
  readonly literal: (to: string, id: string) => ManifestProblem | undefined;
  readonly find: (to: string, name: Written) => FoundRef;
}

/** What the manifests define, by name. */
export interface Names {
  /** Names of resources, by kind. */
  readonly resources: ReadonlyMap<string, ReadonlySet<string>>;
  /** Undefined for one that is itself wrong. */
  readonly externals: ReadonlyMap<string, External | undefined>;
  /** All manifests were read, so that a name nobody defines is a mistake. */
  readonly complete: boolean;
  /** The plan is targeted: what other manifests define is looked up in the account. */
  readonly targeted: boolean;
  readonly profile: Profile;
}

/** Finds what references mean. */
export function refTable({ resources, externals, complete, targeted, profile }: Names): RefTable {
  return { find, literal };

  /** The service gives ids to its own resources, so that a name cannot be one; ids of other families are accepted as they are. */
  function literal(to: string, id: string): ManifestProblem | undefined {
    const isOwn = resources.has(to);
    if (isOwn ? resources.get(to)?.has(id) !== true : externals.get(id)?.type !== to) return undefined;
    return {
      code: 'NAME_AS_ID',
      severity: isOwn && profile === 'completed' ? 'error' : 'warning',
      message: `\`${id}\` is the name of ${addressOf(isOwn ? to : externalKind, id)}, but sluice would send the name as an id`,
      hint: `write \`{ref: ${id}}\``,
    };
  }

  function find(to: string, name: Written): FoundRef {
    if (typeof name !== 'string' || name === '')
      return {
        complaint: () => ({ code: 'INVALID_VALUE_SOURCE', message: '`ref` must be the name of a resource' }),
      };
    return resources.has(to) ? findResource(to, name) : findExternal(to, name);
  }

  function findResource(kind: string, name: string): FoundRef {
    const names = resources.get(kind) ?? new Set();
    const value = new Ref(addressOf(kind, name));
    if (names.has(name) || targeted || !complete) return { value };
    return { value, complaint: () => unknown(kind, name, names) };
  }

  function findExternal(type: string, name: string): FoundRef {
    const found = externals.get(name);
    if (found?.type === type) return { value: found.id };
    if (externals.has(name) && found === undefined) return {};
    if (!complete) return {};
    const alike = () => [...externals].filter(([, external]) => external?.type === type).map(([known]) => known);
    if (found === undefined) return { complaint: () => unknown(`${externalKind} of type ${type}`, name, alike()) };
    return {
      complaint: () => ({
        code: 'UNKNOWN_REFERENCE',
        message: `\`${name}\` is an ${externalKind} of type ${found.type}; the field requires one of type ${type}`,
        ...present({ hint: nearName(name, alike()) }),
      }),
    };
  }

  function unknown(what: string, name: string, known: Iterable<string>): ManifestProblem {
    const bare = splitAddress(name).name;
    if (bare !== '' && bare !== name)
      return {
        code: 'UNKNOWN_REFERENCE',
        message: `no ${what} is named \`${name}\`: write the name without the kind`,
        hint: `write {ref: ${bare}}`,
      };
    const elsewhere = [...resources].filter(([, names]) => names.has(name)).map(([kind]) => kind);
    if (externals.has(name)) elsewhere.push(externalKind);
    return {
      code: 'UNKNOWN_REFERENCE',
      message:
        elsewhere.length > 0
          ? `no ${what} is named \`${name}\`, but another kind has a resource with this name: ${elsewhere.join(' and ')}`
          : `no ${what} named \`${name}\` is defined in the manifests`,
      hint: referenceHint(name, known),
    };
  }
}
