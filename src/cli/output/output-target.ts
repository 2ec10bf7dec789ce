import type { OutputTarget } from '../../render/formats/format.ts';
import { platforms, type PlatformName } from '../../render/text/platform.ts';
import { platformOf, repositoryOf } from '../ci.ts';
import type { Context } from '../context.ts';

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
