import { unusableIds } from '../../derive/check/unusable-ids.ts';
import { idsIn } from '../../derive/references.ts';
import { mayUse } from '../../derive/wire/operations.ts';
import type { NestedRule } from '../../kinds/kind.ts';
import type { SpecObject } from '../../kinds/value.ts';
import { Refusal } from '../answer.ts';
import { refusesSharing } from '../behaviours/hostport-sharing.ts';
import { claimsOf } from './claims.ts';
import type { Family, Stored } from '../family.ts';
import type { EmulatorWorld } from '../world.ts';

/** Refuses a resource, with the fields that a write has set, that uses something taken, or refers to something that is not there. */
export function refuseConflicts(family: Family, resource: Stored, world: EmulatorWorld): void {
  const { settings, account, families } = world;
  // An id of any form is taken, as long as it is not that of another family.
  const foreign =
    settings.profile === 'completed'
      ? unusableIds(family, resource.spec, [...families.values()]).find(({ code }) => code === 'ID_OF_OTHER_KIND')
      : undefined;
  if (foreign !== undefined) throw new Refusal(400, foreign.code, `${foreign.path.join('.')}: ${foreign.message}.`);
  for (const { to, id, path } of idsIn(family, resource.spec)) {
    const exists = families.has(to)
      ? account.get(to, id) !== undefined || settings.profile === 'documented'
      : !settings.strictRefs || settings.externals.includes(id);
    const field = path.findLast((step) => typeof step === 'string') ?? '';
    if (!exists) throw new Refusal(400, 'NO_SUCH_REFERENCE', `\`${field}\` refers to a resource that does not exist.`);
  }
  for (const claim of claimsOf(family, resource)) {
    // Hostports are unique under both profiles, unless sharing is enabled; other values according to the profile.
    const isListened = claim.field === family.traffic?.listens;
    if (!(isListened ? refusesSharing(settings) : mayUse(settings.profile, claim.since))) continue;
    const holder = account.holder(claim.key, resource.id);
    if (holder !== undefined)
      throw new Refusal(400, `${claim.field.toUpperCase()}_TAKEN`, `\`${claim.value}\` is already taken by ${holder}.`);
  }
}

/** Refuses to delete a resource that something else refers to (completed; the profile `documented` does not ask). */
export function refuseInUse(resource: Stored, { account, settings }: EmulatorWorld): void {
  const referrer = settings.profile === 'completed' ? account.referrer(resource.id) : undefined;
  if (referrer !== undefined) throw new Refusal(400, 'IN_USE', `The resource is in use by ${referrer.id}.`);
}

type Both = readonly [spec: SpecObject, parent: SpecObject];

/** Refuses a change that breaks a rule between parent and nested resources. A rule that was broken before may stay broken. */
export function refuseBreaches(
  family: Family,
  { id, parent: parentId = '', spec }: Stored,
  before: SpecObject | undefined,
  { account, families, settings }: EmulatorWorld,
): void {
  const pairs: { readonly rules: readonly NestedRule[]; readonly now: Both; readonly then: Both | undefined }[] = [];
  const { within } = family;
  const parent = within && account.get(within.kind, parentId)?.spec;
  if (parent !== undefined)
    pairs.push({ rules: within?.rules ?? [], now: [spec, parent], then: before && [before, parent] });
  for (const { name, within: inner } of families.values())
    for (const child of inner?.kind === family.name ? account.all(name, id) : [])
      pairs.push({ rules: inner?.rules ?? [], now: [child.spec, spec], then: before && [child.spec, before] });
  for (const { rules, now, then } of pairs)
    for (const { code, since, check } of rules) {
      if (!mayUse(settings.profile, since) || (then !== undefined && check(...then).length > 0)) continue;
      const [problem] = check(...now);
      if (problem !== undefined) throw new Refusal(400, code, `${problem.message}.`);
    }
}
