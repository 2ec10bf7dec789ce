import { posix, relative, resolve, sep } from 'node:path';
import type { OutputTarget } from '../render/formats/format.ts';
import { type PlatformName, type Repository, platforms } from '../render/text/platform.ts';
import type { Context } from './context.ts';
import { isSet, type Io } from './io.ts';

type Env = Io['env'];

/** The platform that runs the pipeline, from its environment. Gitea sets GitHub's variables too, so it is checked first. */
export function platformOf(env: Env): PlatformName {
  if (env['GITEA_ACTIONS'] === 'true' || env['FORGEJO_ACTIONS'] === 'true') return 'gitea';
  if (env['GITLAB_CI'] === 'true') return 'gitlab';
  return env['BITBUCKET_BUILD_NUMBER'] === undefined ? 'github' : 'bitbucket';
}

/** The platforms on which sluice can write comments. */
export const commentPlatforms = ['github', 'gitlab', 'gitea'] as const;

/** One of those. */
export type CommentPlatform = (typeof commentPlatforms)[number];

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

/** Flags of commands whose result can be posted as a comment. */
export interface CommentFlags {
  readonly platform?: PlatformName;
  readonly maxBytes?: number;
}

/** Where a result is read: according to the flags, or else to the environment of a pipeline. */
export function outputTarget({ io, version }: Context, flags: CommentFlags, dir?: string): OutputTarget {
  const { platform = platformOf(io.env) } = flags;
  const { maxBytes = platforms[platform].maxBytes } = flags;
  return { version, platform, maxBytes, repository: dir === undefined ? undefined : repositoryOf(io.env, dir) };
}
