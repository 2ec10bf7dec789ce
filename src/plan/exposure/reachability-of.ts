import type { Audience } from '../../model/exposure/exposed-urls.ts';
import type { Reachability } from '../../model/exposure/exposure-change.ts';
import { requirementsMet } from '../access-policy/satisfies.ts';
import { instanceName } from '../order/plan-node.ts';
import { askedInWords, isPublicAccess, isReachable, type Access } from './access.ts';
import type { IdNaming } from './id-naming.ts';

/** Who can reach what reaches nothing. */
export const nobody: Reachability = { audience: 'nobody', who: 'nobody', requires: [] };

/** Who can reach what takes this way. */
export function reachabilityOf(access: Access, named: IdNaming): Reachability {
  const audience = audienceOf(access);
  if (audience === 'nobody') return nobody;
  const { catcher } = access;
  return {
    audience,
    who: whoReaches(access, named, audience),
    requires: audience === 'restricted' ? requirementsMet(access, 'any') : [],
    ...(catcher === undefined ? {} : { route: instanceName(catcher) }),
  };
}

/** Whether anyone can reach it, those who satisfy access controls, or nobody. */
export function audienceOf(access: Access): Audience {
  if (!isReachable(access)) return 'nobody';
  return isPublicAccess(access, 'any') ? 'public' : 'restricted';
}

/** Who can reach it, in words. */
export function whoReaches(access: Access, named: IdNaming, audience = audienceOf(access)): string {
  if (audience !== 'public') return audience === 'nobody' ? 'nobody' : named(askedInWords(access));
  return access.edge?.passesThrough === true ? 'anyone (TLS is terminated at the upstream service)' : 'anyone';
}
