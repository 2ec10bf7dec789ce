import { join, resolve } from 'node:path';
import { hasErrors } from '../../diagnostics/diagnostic.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { readStackFile, stackFileName } from '../../manifest/stack-file/stack-file.ts';
import type { StackContext } from '../stack-context.ts';
import { UsageError } from '../usage-error.ts';

/** Refuses a run of two stacks with one id in one account: each would own, and so delete, the resources of the other. */
export function requireOwnIds({ io: { cwd, env } }: StackContext, stacks: readonly string[]): void {
  const owners = new Map<string, string>();
  for (const stack of stacks) {
    const { file, diagnostics } = readStackFile(join(resolve(cwd, stack), stackFileName));
    // An invalid file is reported when the stack is opened.
    if (file === undefined || hasErrors(diagnostics)) continue;
    const { settings } = file;
    const given = env['SLUICE_BASE_URL'] ?? '';
    const baseUrl = given === '' ? settings.api.base_url : given;
    // Then each has an account of its own.
    if (baseUrl === 'embedded') continue;
    const owner = JSON.stringify([settings.stack.id, baseUrl, settings.api.key.from_env]);
    const other = owners.get(owner);
    if (other !== undefined)
      throw new UsageError(
        `the stacks ${safeText(other)} and ${safeText(stack)} have the same id, so each would delete the resources of the other`,
        'if one of the stacks is a copy, run `sluice init --new-id` in the directory of the copy',
      );
    owners.set(owner, stack);
  }
}
