import { textOf } from '../../kinds/value.ts';
import { serveEndpoints } from '../agents/served-endpoints.ts';
import { textsOf } from '../forms/plain.ts';
import type { Behaviour } from '../world.ts';

/** Every hostport of an edge is an endpoint for as long as the edge has it. */
export const httpsEdgeBehaviour: Behaviour = {
  follow: (now, before, world) => {
    const metadata = textOf(now?.spec['metadata']);
    const server = (now ?? before)?.id;
    if (server === undefined) return;
    const hostports = world.settings.edgeEndpoints === 'hidden' ? [] : textsOf(now?.spec['hostports']);
    serveEndpoints(
      server,
      hostports.map((hostport) => {
        const name = hostport.toLowerCase();
        return {
          type: 'edge',
          proto: 'https',
          region: 'us',
          hostport: name,
          public_url: `https://${name.replace(/:443$/, '')}`,
          metadata,
          edge: server,
        };
      }),
      world,
    );
  },
};
