import { SluiceError } from '../../../diagnostics/errors.ts';
import { platformOf } from '../../ci.ts';
import type { Context } from '../../context.ts';
import { commentPlatforms, type CommentPlatform } from './comment-platforms.ts';

/** The platform as given, or the one of the pipeline. */
export function platformFor({ io: { env } }: Context, platform: CommentPlatform | undefined): CommentPlatform {
  const found = platform ?? commentPlatforms.find((name) => name === platformOf(env));
  if (found !== undefined) return found;
  throw new SluiceError('NO_PULL_REQUEST', 'Bitbucket is not supported', {
    hint: 'print the comment with `sluice show PLAN --format markdown`, and post the output in a separate step',
  });
}
