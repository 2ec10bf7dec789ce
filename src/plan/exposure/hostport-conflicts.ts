import { normalize } from '../../derive/canonical.ts';
import { splitMetadata } from '../../derive/marker.ts';
import { mayUse } from '../../derive/wire/operations.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Kind, Leaf, Unique } from '../../kinds/kind.ts';
import type { ServedEndpoint } from '../../kinds/served-endpoint.ts';
import { textsIn } from '../../kinds/texts-in.ts';
import type { Path, SpecObject } from '../../kinds/value.ts';
import { everyActual } from '../../model/actual.ts';
import { compareText } from '../../model/compare-text.ts';
import type { Desired } from '../../model/resource.ts';
import type { Decisions } from '../decide.ts';
import type { PlanInput } from '../input.ts';
import { otherOwner, whoseText } from '../other-owner.ts';

/** Whether the manifests want a hostport or hostname that no resource in the refreshed account has. */
export function claimsNewHostports(input: PlanInput): boolean {
  return placesTaken(input).length > 0;
}

/** Reports, before the first write, wanted hostports and hostnames that an agent, or an edge that sluice has not read, already uses. */
export function hostportConflicts(decisions: Decisions, input: PlanInput): Diagnostic[] {
  const { served } = input.account;
  if (served === undefined) return [];
  // Includes the resources that this plan adopts.
  const ours = new Set([...decisions.values()].map(({ pair }) => pair.actual?.id));
  const holders = served
    .filter(({ server }) => server === undefined || !ours.has(server))
    .sort((a, b) => compareText(a.id, b.id));
  return placesTaken(input).flatMap((taken) => {
    const holder = holders.find((one) => isAt(one, taken));
    return holder === undefined ? [] : [conflict(taken, holder, input)];
  });
}

interface Taken {
  readonly desired: Desired;
  readonly unique: Unique;
  readonly path: Path;
  readonly leaf: Leaf;
  readonly place: string;
}

function placesTaken({ desired, account, kinds }: PlanInput): Taken[] {
  const served = new Map(
    kinds.all.flatMap((kind) => (kind.unique.some(isOfAccount) ? [[kind.name, kind] as const] : [])),
  );
  const held = new Set(
    everyActual(account).flatMap((actual) => {
      const kind = served.get(actual.kind);
      return kind === undefined ? [] : placesIn(kind, actual.spec).map(({ place }) => `${kind.name} ${place}`);
    }),
  );
  return desired.resources.flatMap((one): Taken[] => {
    const kind = served.get(one.kind);
    const wanted = kind === undefined ? [] : placesIn(kind, one.spec);
    return wanted.filter(({ place }) => !held.has(`${one.kind} ${place}`)).map((taken) => ({ desired: one, ...taken }));
  });
}

/** The hostports and hostnames of a resource that only one resource in the account may have. */
function placesIn(kind: Kind, spec: SpecObject): Omit<Taken, 'desired'>[] {
  return kind.unique.filter(isOfAccount).flatMap((unique) =>
    textsIn(kind, unique.field, spec)
      .filter(({ leaf }) => leaf.format === 'hostport' || leaf.format === 'hostname')
      .map(({ leaf, path, text }) => ({
        unique,
        leaf,
        path,
        place: String(normalize({ ...leaf, compare: unique.compare }, text)),
      })),
  );
}

function isOfAccount({ scope }: Unique): boolean {
  return scope === 'account';
}

function isAt({ hostport, server }: ServedEndpoint, { leaf, place }: Taken): boolean {
  if (leaf.format === 'hostport') return hostport === place;
  return server === undefined && hostport.replace(/:\d+$/, '') === place;
}

function conflict(taken: Taken, holder: ServedEndpoint, input: PlanInput): Diagnostic {
  const { desired, unique, path, place } = taken;
  const { id, server, metadata } = holder;
  const about = {
    severity: mayUse(input.stack.profile, unique.since) ? 'error' : 'warning',
    address: desired.address,
    place: desired.places.of(path),
  } as const;
  if (server === undefined)
    return {
      ...about,
      code: 'IN_USE_BY_AGENT',
      message: `${place} is already in use by an agent (endpoint ${id})`,
      hint: `stop the tunnel of the agent (\`sluice endpoints get ${id}\` shows it), or choose another value`,
    };
  return {
    ...about,
    code: 'ALREADY_EXISTS_UNMANAGED',
    message: `${place} is already in use by the edge ${server}, ${whoseText(otherOwner(splitMetadata(metadata).marker, input.stack))}`,
    hint: 'remove the value from that edge, or choose another value',
  };
}
