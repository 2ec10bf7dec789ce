import { serveEndpoints } from '../agents/served-endpoints.ts';
import { textsOf } from '../forms/plain.ts';
import type { Behaviour } from '../world.ts';

/** Every hostport of an edge is an endpoint for as long as the edge has it. */
export const httpsEdgeBehaviour: Behaviour = {
  follow: (now, before, world) => {
    if (world.settings.edgeEndpoints === 'hidden') return;
    const metadata = now?.spec['metadata'];
    const server = (now ?? before)?.id;
    if (server === undefined) return;
    serveEndpoints(
      server,
      textsOf(now?.spec['hostports']).map((hostport) => {
        const name = hostport.toLowerCase();
        return {
          type: 'edge',
          proto: 'https',
          region: 'us',
          hostport: name,
          public_url: `https://${name.replace(/:443$/, '')}`,
          ...(metadata === undefined || metadata === '' ? {} : { metadata }),
          edge: server,
        };
      }),
      world,
    );
  },
};
