import { fieldIn } from './comment-fields.ts';
import type { PlatformClient } from './platform-client.ts';
import type { ReviewApi } from './review-api.ts';
import { statusBy } from './review-fields.ts';

/** A repository as GitHub and those who follow its API name it. */
export interface PlatformRepository {
  readonly client: PlatformClient;
  /** Its path, such as /api/v1/repos/acme/edges. */
  readonly path: string;
  /** All pages of a list below that path. */
  readonly pages: (path: string) => Promise<readonly unknown[]>;
}

/** Statuses of commits, which GitHub and Gitea write and list alike. */
export function commitStatuses({ client, path, pages }: PlatformRepository): Pick<ReviewApi, 'setStatus' | 'statuses'> {
  return {
    setStatus: async (commit, { name: context, digest, url }) => {
      const body = { state: 'success', context, description: digest, ...(url === '' ? {} : { target_url: url }) };
      await client.send({ method: 'POST', path: `${path}/statuses/${commit}`, body });
    },
    statuses: async (commit, context) =>
      (await pages(`commits/${commit}/statuses`))
        .filter((status) => fieldIn(status, 'context') === context)
        .flatMap((status) => statusBy(status, 'creator')),
  };
}
