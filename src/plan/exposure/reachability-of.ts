import type { Audience } from '../../model/exposure/exposed-urls.ts';
import type { Reachability } from '../../model/exposure/exposure-change.ts';
import { requirementsMet } from '../access-policy/satisfies.ts';
import { instanceName } from '../order/plan-node.ts';
import { backendReached } from '../routing/backend-of.ts';
import { askedInWords, isPublicAccess, isReachable, type Access } from './access.ts';
import type { IdNaming } from './id-naming.ts';

/** The reachability of a URL that no one can reach. */
export const nobody: Reachability = { audience: 'nobody', who: 'nobody', requires: [] };

/** Who can reach URLs with this access. */
export function reachabilityOf(access: Access, named: IdNaming): Reachability {
  const audience = audienceOf(access);
  if (audience === 'nobody') return nobody;
  const { matchedBy } = access;
  const backend = backendReached(access);
  return {
    audience,
    who: whoReaches(access, named, audience),
    requires: audience === 'restricted' ? requirementsMet(access, 'any') : [],
    ...(matchedBy === undefined ? {} : { route: instanceName(matchedBy) }),
    ...(backend === undefined ? {} : { backend: backend.shown }),
  };
}

/** Whether anyone can reach it, only clients that satisfy access controls, or nobody. */
export function audienceOf(access: Access): Audience {
  if (!isReachable(access)) return 'nobody';
  return isPublicAccess(access, 'any') ? 'public' : 'restricted';
}

/** Who can reach it, in words. */
export function whoReaches(access: Access, named: IdNaming, audience = audienceOf(access)): string {
  if (audience !== 'public') return audience === 'nobody' ? 'nobody' : named(askedInWords(access));
  return access.edge?.passesThrough === true ? 'anyone (TLS is terminated at the upstream service)' : 'anyone';
}
