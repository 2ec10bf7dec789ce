import { posix, relative, resolve, sep } from 'node:path';
import type { PlatformName, Repository } from '../render/text/platform.ts';
import type { Io } from './io.ts';

type Env = Io['env'];

/** The platform that runs the pipeline, from its environment. Gitea sets GitHub's variables too, so it is checked first. */
export function platformOf(env: Env): PlatformName {
  if (env['GITEA_ACTIONS'] === 'true' || env['FORGEJO_ACTIONS'] === 'true') return 'gitea';
  if (env['GITLAB_CI'] === 'true') return 'gitlab';
  return env['BITBUCKET_BUILD_NUMBER'] === undefined ? 'github' : 'bitbucket';
}

/** The web URL of the sources of a stack, from the variables of a pipeline; undefined outside of one. */
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
