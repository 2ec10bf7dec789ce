import type { SecretForm } from '../../../derive/canonical.ts';
import type { Movement } from '../../order/plan-node.ts';
import { type RouteBackend, backendReached } from '../../routing/backend-of.ts';
import { pathOfSelector } from '../../routing/request-classes.ts';
import { classAt, hostportsOf } from '../../routing/routing-model.ts';
import { isReachable, type Access } from '../access.ts';
import { lost } from '../access-differences.ts';
import type { AccessDifference } from '../control-differences.ts';
import { controlsOnly, controlsText, type BackendBefore, type BackendsBefore } from './backends-before.ts';
import type { ClassHistory } from '../class-history.ts';
import { classUrl } from '../class-url.ts';
import type { NewEdge } from '../new-edge.ts';
import { lostAtStep } from '../reachability.ts';

/** A URL by which requests reach a backend with less access control than by each of its URLs before. */
export interface BackendOpening {
  readonly backend: RouteBackend;
  readonly url: string;
  /** The step after which they do. */
  readonly step: Movement;
  /** What each of the URLs before required and this one does not. Empty: each required something else of it. */
  readonly missing: readonly AccessDifference[];
  readonly before: BackendBefore;
  readonly after: Access;
}

/** What each access required that another one does not; undefined if one of them required no more, or if there is none. */
type Missing = readonly AccessDifference[] | undefined;

/** Finds the URLs by which a plan opens backends, among request classes that it changes and edges that it creates. */
export function* backendOpenings(
  histories: readonly ClassHistory[],
  newEdges: readonly NewEdge[],
  { backends, digest }: { readonly backends: BackendsBefore; readonly digest: SecretForm },
): Generator<BackendOpening, void> {
  const missingIn = comparisons(digest);
  for (const one of histories) {
    const backend = newlyReached(one);
    if (backend === undefined) continue;
    const before = backends(backend.id);
    const missing = missingIn(before, one.after);
    if (missing === undefined || isReportedForUrl(one, missing, digest)) continue;
    const step = lostAtStep(
      { moments: one.moments },
      (moment) => backendReached(moment)?.id !== backend.id || missingIn(before, moment) === undefined,
    );
    if (step !== undefined) yield { backend, url: one.url, step, missing, before, after: one.after };
  }
  for (const { edge, routes } of newEdges) {
    for (const { step, selector, access, backend } of routes) {
      if (backend === undefined) continue;
      const before = backends(backend.id);
      const missing = missingIn(before, access);
      if (missing === undefined) continue;
      const urls = hostportsOf(edge).map((place) => classUrl(classAt(place, pathOfSelector(selector))));
      for (const url of urls) yield { backend, url, step, missing, before, after: access };
    }
  }
}

/** The backend that requests reach after a plan and do not reach now. */
export function newlyReached({ now, after }: Pick<ClassHistory, 'now' | 'after'>): RouteBackend | undefined {
  // Most routes that change keep their backend, and many do not change at all.
  if (now.route === after.route) return undefined;
  const backend = backendReached(after);
  return backend !== undefined && backendReached(now)?.id === backend.id ? undefined : backend;
}

/** Compares accesses with those before; each set of access controls once for each backend. */
function comparisons(digest: SecretForm): (before: BackendBefore, access: Access) => Missing {
  const known = new Map<BackendBefore, Map<string, Missing>>();
  return (before, access) => {
    if (before.accesses.size === 0) return undefined;
    const asked = controlsOnly(access);
    const text = controlsText(asked);
    if (before.accesses.has(text)) return undefined;
    const compared = known.get(before) ?? new Map<string, Missing>();
    known.set(before, compared);
    if (!compared.has(text)) compared.set(text, missingFrom(before, asked, digest));
    return compared.get(text);
  };
}

function missingFrom({ accesses, least }: BackendBefore, access: Access, digest: SecretForm): Missing {
  let common: readonly AccessDifference[] | undefined;
  for (const one of least) {
    const missing = lost(one, access, { digest });
    if (missing.length === 0) return undefined;
    common = common?.filter(({ text }) => missing.some((other) => other.text === text)) ?? missing;
  }
  return least.length === accesses.size ? common : [];
}

/** Whether a plan already reports that requests to the URL itself no longer satisfy the same. */
function isReportedForUrl(one: ClassHistory, missing: readonly AccessDifference[], digest: SecretForm): boolean {
  const { now, last, after } = one;
  const lostHere = (isReachable(now) ? [now] : last).flatMap((access) => lost(access, after, { digest }));
  const texts = new Set(lostHere.map(({ text }) => text));
  return missing.length > 0 && missing.every(({ text }) => texts.has(text));
}
