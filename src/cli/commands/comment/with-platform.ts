import { proxyFor } from '../../../api/connection/proxy-choice.ts';
import { wallClock } from '../../../api/clock.ts';
import { giteaComments, giteaReviews } from '../../../comments/gitea.ts';
import { githubComments, githubReviews } from '../../../comments/github.ts';
import { gitlabComments, gitlabReviews } from '../../../comments/gitlab.ts';
import { createPlatformClient, type PlatformClient } from '../../../comments/platform-client.ts';
import { retryLog } from '../../../stack/service/retry-log.ts';
import { connectionsBy, networkChoice } from '../../../stack/settings/network-settings.ts';
import type { Context } from '../../context.ts';
import type { PlatformPlace } from './platform-place.ts';

const apis = {
  github: { comments: githubComments, reviews: githubReviews },
  gitlab: { comments: gitlabComments, reviews: gitlabReviews },
  gitea: { comments: giteaComments, reviews: giteaReviews },
};

/** Does something with the API of the platform. Neither the stack file nor a plan decides how it is reached. */
export async function withPlatform<T>(
  context: Context,
  place: PlatformPlace,
  work: (client: PlatformClient, api: (typeof apis)[PlatformPlace['platform']]) => Promise<T>,
): Promise<T> {
  const { io, version } = context;
  const network = networkChoice(context, {}, io.cwd);
  if (URL.canParse(place.apiUrl)) proxyFor(new URL(place.apiUrl), network.proxy);
  const connections = connectionsBy(network);
  const clock = io.clock ?? wallClock;
  try {
    const client = createPlatformClient({
      ...place,
      authorization: place.platform === 'gitea' ? 'token' : 'Bearer',
      dispatcher: io.network ?? connections.dispatcher,
      clock,
      signal: io.signal,
      userAgent: `sluice/${version}`,
      onRetry: retryLog(clock, (line) => context.log('info', line)).waiting,
    });
    return await work(client, apis[place.platform]);
  } finally {
    await connections.close();
  }
}
