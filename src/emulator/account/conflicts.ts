import { unusableIds } from '../../derive/check/unusable-ids.ts';
import { refuse, type RefusedAnswer } from '../answer.ts';
import { refusesSharing } from '../behaviours/hostport-sharing.ts';
import { claimsOf, referencesOf, type Claim } from './claims.ts';
import type { Family, Stored } from '../family.ts';
import type { EmulatorWorld } from '../world.ts';

/** What keeps a resource, with the fields that a write has set, out of the account: something taken, or something referred to that is not there. */
export function conflictOf(family: Family, resource: Stored, world: EmulatorWorld): RefusedAnswer | undefined {
  const { settings, account, families } = world;
  // An id of any form is taken, as long as it is not that of another family.
  const foreign =
    settings.profile === 'completed'
      ? unusableIds(family, resource.spec, [...families.values()]).find(({ code }) => code === 'ID_OF_OTHER_KIND')
      : undefined;
  if (foreign !== undefined) return refuse(400, foreign.code, `${foreign.path.join('.')}: ${foreign.message}.`);
  for (const { to, id, field } of referencesOf(family.fields, resource.spec)) {
    const exists = families.has(to)
      ? account.get(to, id) !== undefined || settings.profile === 'documented'
      : !settings.strictRefs || settings.externals.includes(id);
    if (!exists) return refuse(400, 'NO_SUCH_REFERENCE', `\`${field}\` refers to a resource that does not exist.`);
  }
  for (const claim of claimsOf(family, resource)) {
    if (!isKept(family, claim, world)) continue;
    const holder = account.holder(claim.key, resource.id);
    if (holder !== undefined)
      return refuse(400, `${claim.field.toUpperCase()}_TAKEN`, `\`${claim.value}\` is already taken by ${holder}.`);
  }
  return undefined;
}

/** Why a resource cannot be deleted: something else refers to it (completed; the profile `documented` does not ask). */
export function inUseRefusal(resource: Stored, { account, settings }: EmulatorWorld): RefusedAnswer | undefined {
  const referrer = settings.profile === 'completed' ? account.referrer(resource.id) : undefined;
  return referrer === undefined ? undefined : refuse(400, 'IN_USE', `The resource is in use by ${referrer.id}.`);
}

/** Hostports are unique under both profiles, unless sharing is enabled; other values according to the profile. */
function isKept(family: Family, claim: Claim, { settings }: EmulatorWorld): boolean {
  if (claim.field === family.traffic?.listens) return refusesSharing(settings);
  return settings.profile === 'completed' || claim.since === 'described';
}
