import type { Profile } from '../../src/kinds/kind.ts';

/** In which of the ways that services differ one behaves: what it offers, what it shows of edges, what it keeps unique. */
export interface Server {
  readonly profile: Profile;
  readonly edgeEndpoints: 'shown' | 'hidden';
  readonly hostports: 'unique' | 'shared';
}

/** All there are: both profiles, each with the four edge servers. */
export const servers: readonly Server[] = (['completed', 'documented'] as const).flatMap((profile) =>
  (['shown', 'hidden'] as const).flatMap((edgeEndpoints) =>
    (['unique', 'shared'] as const).map((hostports) => ({ profile, edgeEndpoints, hostports })),
  ),
);

/** A server in a word: `documented-hidden-shared`. */
export function serverName({ profile, edgeEndpoints, hostports }: Server): string {
  return `${profile}-${edgeEndpoints}-${hostports}`;
}
