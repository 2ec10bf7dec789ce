import type { Address } from '../../model/address.ts';
import type { Audience, ExposureMap } from '../../model/exposure/exposed-urls.ts';
import { groupBy } from '../../model/group-by.ts';

/** One URL of a map. */
export interface ExposedUrl {
  readonly url: string;
  readonly route: Address;
  /** Who can reach it before a plan, where that differs. */
  readonly before?: string | undefined;
}

/** The URLs that the same people can reach. */
export interface ExposureGroup {
  readonly who: string;
  readonly audience: Audience;
  /** What a plan changes first. */
  readonly urls: readonly ExposedUrl[];
}

/** A map by who can reach what, public URLs first. */
export function exposureGroups({ rows }: ExposureMap): ExposureGroup[] {
  return [...groupBy(rows, ({ audience, who }) => `${audience} ${who}`).values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const urls = own.flatMap(({ urls, route, before }) => urls.map((url) => ({ url, route, before })));
    const changed = (one: ExposedUrl): number => Number(one.before === undefined);
    return [{ who: first.who, audience: first.audience, urls: urls.sort((a, b) => changed(a) - changed(b)) }];
  });
}
