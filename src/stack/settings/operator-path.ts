import { resolve } from 'node:path';
import { safeText } from '../../diagnostics/safe-text.ts';
import { isInCheckout, isInRepository } from '../git/is-in-repository.ts';
import type { StackContext } from '../stack-context.ts';
import { UsageError } from '../usage-error.ts';
import { isPipeline } from './pipeline-run-url.ts';

/**
 * The absolute path of a file that the operator names. In a pipeline and for a watch, the file must be outside of the
 * repository of the stack in `dir`: a commit could change it.
 */
export function operatorPath(
  { text, from }: { readonly text: string; readonly from: string },
  { io, isUnattended = false }: Pick<StackContext, 'io' | 'isUnattended'>,
  dir: string | undefined,
): string {
  const path = resolve(io.cwd, text);
  const isInside = isUnattended ? isInCheckout : isPipeline(io.env) ? isInRepository : () => false;
  if (dir !== undefined && isInside(path, dir))
    throw new UsageError(
      `${from}: ${safeText(path, 200)} is inside the repository of the stack`,
      'use a file outside the repository, which no commit can change',
    );
  return path;
}
