import { realpathSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { safeText } from '../../diagnostics/safe-text.ts';
import { oncePer } from '../../kinds/once-per.ts';
import type { ManifestProblem } from '../../manifest/check/problems.ts';
import type { FindStack } from '../../manifest/expand/find-outputs.ts';
import { isInside, realPath } from '../../files/real-path.ts';
import { readStackFile, stackFileName, type StackFile } from '../../manifest/stack-file/stack-file.ts';
import { ownerOf } from '../../derive/marker.ts';
import { findRepository } from '../git/find-repository.ts';
import type { StackConfig } from '../settings/stack-config.ts';

type TakingStack = Pick<StackConfig, 'dir' | 'settings' | 'baseUrl'>;

/** Finds other stacks of the repository and the account, for one that takes their outputs. Of each, `sluice.yaml` is read, and nothing of it is run. */
export function otherStacks(taking: TakingStack): FindStack {
  return oncePer(new Map<string, ReturnType<FindStack>>(), (path) => otherStack(taking, path));
}

function otherStack(taking: TakingStack, path: string): ReturnType<FindStack> {
  const shown = safeText(path, 200);
  if (isAbsolute(path) || path.includes('\0'))
    return notAllowed(`the stack ${shown} must be a path relative to the directory of this stack`);
  const own = realpathSync(taking.dir);
  const dir = resolve(own, path);
  if (dir === own)
    return notAllowed(
      `the stack ${shown} is this stack`,
      'for a resource of this stack, write {ref: NAME, field: FIELD}',
    );
  const root = findRepository(own)?.root;
  if (root !== undefined && !isInside(dir, root))
    return notAllowed(`the stack ${shown} is outside the git repository of this stack`);
  const file = join(dir, stackFileName);
  const real = realPath(file);
  if (real === undefined)
    return {
      code: 'STACK_NOT_FOUND',
      message: `there is no ${stackFileName} in ${shown}`,
      hint: "the path is relative to the directory of this stack's sluice.yaml",
    };
  if (real !== file)
    return notAllowed(
      `the path of the stack ${shown} contains a symbolic link`,
      'use the path of the real directory, without symbolic links',
    );
  const { file: other, diagnostics } = readStackFile(file);
  const broken = diagnostics.find(({ severity }) => severity === 'error');
  if (other === undefined || broken !== undefined)
    return notAllowed(`${stackFileName} of ${shown} is invalid: ${broken?.message ?? ''}`);
  return accountProblem(taking, other, shown) ?? { owner: ownerOf(other.settings.stack) };
}

/** Why what another stack owns cannot be found in the account of this one. */
function accountProblem(
  { settings: { api: own }, baseUrl }: TakingStack,
  { settings: { api, marker } }: StackFile,
  shown: string,
): ManifestProblem | undefined {
  if (!marker) return notAllowed(`the stack ${shown} writes no ownership markers, so its outputs cannot be found`);
  if (baseUrl === 'embedded')
    return notAllowed(
      `the stack ${shown} has a different account: with api.base_url: embedded, each stack has its own account`,
      'run `sluice emulator` and set api.base_url of both stacks to its address',
    );
  // If the environment names the service, it does so for both stacks.
  const isSame = baseUrl !== own.base_url || withoutSlash(api.base_url) === withoutSlash(own.base_url);
  if (!isSame)
    return notAllowed(`the stack ${shown} has a different api.base_url, so sluice treats it as a different account`);
  return api.key.from_env === own.key.from_env
    ? undefined
    : notAllowed(
        `the stack ${shown} reads its API key from a different variable (api.key), so sluice treats it as a different account`,
      );
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

function notAllowed(message: string, hint?: string): ManifestProblem {
  return { code: 'OUTPUT_NOT_ALLOWED', message, ...(hint === undefined ? {} : { hint }) };
}
