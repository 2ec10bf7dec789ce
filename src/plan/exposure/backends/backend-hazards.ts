import { compareText } from '../../../model/compare-text.ts';
import { groupBy } from '../../../model/group-by.ts';
import type { Hazard } from '../../../model/plan/plan.ts';
import { listSome } from '../../warnings/list-some.ts';
import type { BackendOpening } from './backend-openings.ts';
import { distinctUrls } from '../class-url.ts';
import { askedDigests, backendDigest, hazardEffects, type UrlEffect } from '../hazard-effects.ts';
import type { IdNaming } from '../id-naming.ts';

/** A hazard for each backend that a change opens, with all URLs by which it does so in the same way (decisions/0083). */
export function backendHazards(openings: Iterable<BackendOpening>, named: IdNaming): Hazard[] {
  const alike = groupBy(openings, ({ backend, step, missing }) =>
    [backend.id, step.address, ...missing.map(({ text }) => text)].join('\n'),
  );
  return [...alike.values()]
    .flatMap((some): Hazard[] => {
      const [first] = some;
      if (first === undefined) return [];
      const urls = distinctUrls(some.map(({ url }) => url));
      const effects = hazardEffects(some, effectOf);
      return [
        {
          code: 'OPENS_ACCESS',
          address: first.step.address,
          message: messageOf(first, urls, named),
          urls,
          get effects() {
            return effects();
          },
        },
      ];
    })
    .sort((a, b) => compareText(a.address, b.address) || compareText(a.message, b.message));
}

function effectOf({ backend, step, url, before, after }: BackendOpening): UrlEffect {
  return {
    cause: step.address,
    url,
    before: backendDigest(backend.shown, before.accesses),
    after: backendDigest(backend.shown, [after]),
    asked: askedDigests(after),
  };
}

function messageOf({ backend, missing }: BackendOpening, urls: readonly string[], named: IdNaming): string {
  const reach = `requests to ${listSome(urls)} reach the backend ${named(backend.shown)}`;
  const controls = missing.flatMap(({ control }) => control ?? []);
  if (controls.length > 0)
    return `${reach} without ${controls.join(' and ')}; until now, every URL of this backend required ${controls.length === 1 ? 'it' : 'them'}`;
  const details = missing.map(({ text }) => named(text));
  return details.length > 0
    ? `${reach} with less access control than until now: ${details.join('; ')}`
    : `${reach}; until now, each URL of this backend required more or other access control`;
}
