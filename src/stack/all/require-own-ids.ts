import { resolve } from 'node:path';
import { safeText } from '../../diagnostics/safe-text.ts';
import { latestCredential } from '../settings/credential.ts';
import { validStackFile } from '../settings/manifest-options.ts';
import type { StackContext } from '../stack-context.ts';
import { UsageError } from '../usage-error.ts';

/** Refuses a run of two stacks with one id in one account: each would own, and so delete, the resources of the other. */
export function requireOwnIds({ io }: StackContext, stacks: readonly string[]): void {
  const owners = new Map<string, string>();
  for (const stack of stacks) {
    const file = validStackFile(resolve(io.cwd, stack));
    // An invalid file is reported when the stack is opened.
    if (file === undefined) continue;
    const { api, stack: own } = file.settings;
    const given = io.env['SLUICE_BASE_URL'] ?? '';
    const url = given === '' ? api.base_url : given;
    // Then each has an account of its own.
    if (url === 'embedded') continue;
    const { from_env: named } = api.key;
    // One key for all, or two variables with the same one, lead to the same account.
    const key = latestCredential('SLUICE_API_KEY', io) ?? latestCredential(named, io) ?? named;
    const owner = JSON.stringify([own.id, addressOf(url), key]);
    const other = owners.get(owner);
    if (other !== undefined)
      throw new UsageError(
        `the stacks ${safeText(other)} and ${safeText(stack)} have the same id, so each would delete the resources of the other`,
        'if one of the stacks is a copy, run `sluice init --new-id` in the directory of the copy',
      );
    owners.set(owner, stack);
  }
}

/** An address, spelled in one way; one that is not valid is reported when the stack is opened. */
function addressOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/+$/, '');
}
