import { Refused } from '../../diagnostics/errors.ts';
import type { Checkout } from '../git/checkout.ts';

/**
 * Refuses to apply files that are not those of their commit. Replicas agree on what is newer by commits alone: older files
 * beside a newer commit, as while git updates a checkout, would pass as the newer ones.
 */
export async function mustBeCommitted(checkout: Checkout | undefined): Promise<void> {
  if (checkout === undefined || (await checkout.uncommitted()) !== true) return;
  throw new Refused(
    'UNCOMMITTED_CHANGES',
    `files of this stack differ from commit ${checkout.commit.slice(0, 12)}, which is checked out; a replica applies only commits`,
    { hint: 'commit the changes, or revert them; if git is updating the checkout, wait' },
  );
}
