import type { SecretForm } from '../../../derive/canonical.ts';
import type { LastAccessChange } from '../../../model/plan/plan.ts';
import type { LastAccess } from '../../../model/state.ts';
import type { InstanceKey } from '../../order/plan-node.ts';
import { backendReached } from '../../routing/backend-of.ts';
import { hostportsOf } from '../../routing/routing-model.ts';
import { isOfOthers, isPublicAccess, type Access } from '../access.ts';
import { newlyReached } from './backend-openings.ts';
import type { BackendsBefore } from './backends-before.ts';
import type { ClassHistory } from '../class-history.ts';
import { toLastAccess } from '../last-access.ts';
import { partialAccesses } from '../partial-accesses.ts';
import type { NewEdge } from '../new-edge.ts';

/**
 * What state records about backends that no known route leads to after a plan, or while it is carried out: what their requests
 * had to satisfy before. A backend that anyone could reach is not recorded.
 */
export function backendsToRemember(
  histories: readonly ClassHistory[],
  newEdges: readonly NewEdge[],
  { backends, digest }: { readonly backends: BackendsBefore; readonly digest: SecretForm },
): LastAccessChange {
  // With whether drift is part of why.
  const left = new Map<string, boolean>();
  const [steady, come, reachedAfter] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const touched = new Set<InstanceKey>();
  for (const one of histories) {
    const arrives = newlyReached(one);
    if (arrives !== undefined) come.add(arrives.id);
    const over = backendsOver(one);
    if (over.isSteady && !one.isReleased) {
      for (const id of over.ids) steady.add(id);
      continue;
    }
    for (const id of over.ids) left.set(id, left.get(id) === true || one.hasDrifted);
    const last = backendReached(one.after);
    if (last !== undefined && !one.isReleased) reachedAfter.add(last.id);
    for (const instance of one.trace.tracked.instances) touched.add(instance);
  }
  for (const { edge, routes } of newEdges)
    for (const { backend } of hostportsOf(edge).length === 0 ? [] : routes)
      if (backend !== undefined) come.add(backend.id);
  const remember: Record<string, LastAccess> = {};
  const forget = new Set<string>();
  for (const [id, hasDrifted] of left) {
    if (steady.has(id)) continue;
    const { least, routes, key, isRemembered } = backends(id);
    if (routes.some((route) => !touched.has(route))) continue;
    const isPublic = least.some((access) => isPublicAccess(access, 'any'));
    if (!isPublic && least.length > 0) remember[key] = toLastAccess(least, digest);
    const isReached = reachedAfter.has(id) || come.has(id);
    // What only drift made public was not meant to be.
    if (isPublic ? isRemembered && !hasDrifted : isReached && least.length > 0) forget.add(key);
  }
  for (const id of come) {
    const { key, isRemembered } = backends(id);
    if (isRemembered) forget.add(key);
  }
  return { remember, forget: [...forget].sort() };
}

/** The backend that a class reaches wherever an apply may end; or else those that it reaches now or in between, and not everywhere. */
function backendsOver(one: ClassHistory): { readonly isSteady: boolean; readonly ids: ReadonlySet<string> } {
  const reached = partialAccesses(one).map(backendOfOwn);
  const ids = new Set(reached.filter((id) => id !== undefined));
  const isSteady = ids.size === 1 && !reached.includes(undefined);
  const come = newlyReached(one);
  if (come !== undefined) ids.delete(come.id);
  return { isSteady, ids };
}

function backendOfOwn(access: Access): string | undefined {
  return isOfOthers(access) ? undefined : backendReached(access)?.id;
}
