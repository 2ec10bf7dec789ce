import { posix, relative, resolve, sep } from 'node:path';
import type { PlatformName } from '../render/text/platform.ts';
import type { Repository } from '../render/text/source-link.ts';
import type { Io } from './io.ts';

type Env = Io['env'];

/** Which platform runs this, as far as the environment says: Gitea also calls itself GitHub, so it is asked first. */
export function platformOf(env: Env): PlatformName {
  if (env['GITEA_ACTIONS'] === 'true' || env['FORGEJO_ACTIONS'] === 'true') return 'gitea';
  if (env['GITLAB_CI'] === 'true') return 'gitlab';
  return env['BITBUCKET_BUILD_NUMBER'] === undefined ? 'github' : 'bitbucket';
}

/** Where the sources of a stack are on the web, from the usual variables of pipelines; undefined elsewhere. */
export function repositoryOf(env: Env, dir: string): Repository | undefined {
  const found = [
    {
      url: joined(env['GITHUB_SERVER_URL'], env['GITHUB_REPOSITORY']),
      revision: env['GITHUB_SHA'],
      root: env['GITHUB_WORKSPACE'],
    },
    { url: env['CI_PROJECT_URL'], revision: env['CI_COMMIT_SHA'], root: env['CI_PROJECT_DIR'] },
    { url: env['BITBUCKET_GIT_HTTP_ORIGIN'], revision: env['BITBUCKET_COMMIT'], root: env['BITBUCKET_CLONE_DIR'] },
  ].find(({ url, revision }) => isSet(url) && isSet(revision));
  if (found === undefined) return undefined;
  const folder = isSet(found.root) ? relative(resolve(found.root), resolve(dir)).split(sep).join(posix.sep) : '';
  return { url: found.url ?? '', revision: found.revision ?? '', folder };
}

function joined(server: string | undefined, repository: string | undefined): string | undefined {
  return isSet(server) && isSet(repository) ? `${server}/${repository}` : undefined;
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}
