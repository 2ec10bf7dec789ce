import type { StackContext } from '../stack-context.ts';
import { resolve } from 'node:path';
import { hasErrors } from '../../diagnostics/diagnostic.ts';
import { InvalidInput } from '../../diagnostics/errors.ts';
import { quoted } from '../../diagnostics/quoted.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { addressNamed } from '../../derive/address-named.ts';
import { kinds } from '../../kinds/index.ts';
import { matcherOf } from '../../manifest/expand/matches-wildcard.ts';
import { select } from '../../manifest/expand/select.ts';
import type { Address } from '../../model/address.ts';
import type { Desired, DesiredStack } from '../../model/resource.ts';
import type { State } from '../../model/state.ts';
import { present } from '../../model/present.ts';
import type { Checkout } from '../git/git-head.ts';
import type { StackConfig } from '../settings/stack-config.ts';
import { UsageError, optionName, unknownTarget, type Caller } from '../usage-error.ts';
import { readStack } from './stack-reading.ts';

/** What the manifests want of the part of the stack that a run is about. */
export interface DesiredScope {
  readonly desired: DesiredStack;
  /** Every address that the manifests have, selected or not. */
  readonly described: readonly Address[];
  /** All resources of the manifests, where `desired` has only some of them. */
  readonly whole?: readonly Desired[];
  /** Targeted addresses that the manifests no longer contain: the only ones that a targeted plan may delete (decisions/0030). */
  readonly removedTargets: readonly Address[];
  /** Targets in which `*` stands for any text. */
  readonly patterns?: readonly Address[];
  /** The commit that the manifests are of; absent outside of git. */
  readonly checkout?: Checkout;
  /** What the account is read for as well: the manifests that these are compared with. */
  readonly compared?: readonly DesiredScope[];
}

/** Reads the manifests. Throws when any of them is wrong, with everything that is. */
export async function loadDesired(
  context: StackContext,
  open: StackConfig & { readonly state?: State | undefined },
  flags: Partial<StackFlags> & {
    /** The caller reports itself that a pattern matches nothing. */
    readonly acceptUnmatched?: boolean;
  },
  missingValues: 'error' | 'warning' | 'ignore',
  onFile?: (path: string) => void,
): Promise<DesiredScope> {
  const { settings } = open;
  const inputs = flags.file?.map((path) => (path === '-' ? path : resolve(context.io.cwd, path)));
  if (inputs === undefined && settings.manifests.length === 0)
    throw new UsageError(
      'no manifests are configured',
      'list files or directories under `manifests` in sluice.yaml, or use -f',
    );
  const reading = await readStack(context, open, {
    inputs: inputs ?? settings.manifests,
    stdin: context.io.stdin,
    missingValues,
    whole: inputs === undefined || settings.manifests.length === 0,
    ...present({ onFile }),
  });
  const { desired: all, checkout } = reading;
  // Before what is wrong in them: it may only be wrong together.
  reading.mustStand();
  const targets = flags.target?.map((target) => addressNamed(target, kinds));
  const recorded = Object.keys(open.state?.entries ?? {});
  const desired = select(all, {
    known: recorded,
    ...present({ labels: flags.selector, targets }),
  });
  if (hasErrors(desired.diagnostics)) throw new InvalidInput(desired.diagnostics);
  await context.report(desired.diagnostics);
  if (flags.selector !== undefined && desired.resources.length === 0 && all.resources.length > 0)
    throw new UsageError(
      `${optionName(context, '-l', 'selector')}: no resource in the manifests has the labels ${safeText(flags.selector, 200)}`,
      'labels are in `metadata.labels` of manifests',
    );
  const described = all.resources.map(({ address }) => address);
  const known = new Set(targets === undefined ? [] : described.concat(recorded));
  const unmatched = (targets ?? []).filter((target) => !described.some(matcherOf(target, known)));
  const isPattern = (target: Address): boolean => target.includes('*') && !known.has(target);
  const pattern = unmatched.find(isPattern);
  if (pattern !== undefined && flags.acceptUnmatched !== true)
    throw new UsageError(
      `${optionName(context, '--target', 'target')}: ${quoted(pattern, 200)} matches no resource in the manifests`,
      'a pattern with * matches only resources in the manifests; to delete a resource that is no longer in the manifests, give its full address; one that contains * must be in the state (`sluice state list`)',
    );
  // What other manifests have, or had, is not known.
  if (!all.complete && flags.acceptUnmatched !== true) requireDescribed(context, described, unmatched);
  return {
    desired,
    described,
    ...(desired === all ? {} : { whole: all.resources }),
    patterns: targets?.filter(isPattern) ?? [],
    removedTargets: all.complete ? unmatched : [],
    ...(checkout === undefined ? {} : { checkout }),
  };
}

/** Refuses targets that the manifests do not have, where the account is not read, which may have them. */
export function requireDescribed(caller: Caller, described: readonly Address[], [target]: readonly Address[]): void {
  if (target !== undefined) throw unknownTarget(caller, target, 'not in the manifests', described);
}

/** Flags that select the part of a stack for a command. */
export interface StackFlags {
  /** In place of `manifests`. */
  readonly file?: readonly string[];
  readonly selector?: string;
  /** Addresses. */
  readonly target?: readonly string[];
  readonly parallelism: number;
}
