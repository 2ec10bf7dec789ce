import { counted } from '../../diagnostics/counted.ts';
import { groupBy } from '../../model/group-by.ts';
import type { Address } from '../../model/address.ts';
import {
  causesOf,
  hazardCodes,
  type Change,
  type Hazard,
  type HazardCode,
  type Plan,
  isReplacement,
} from '../../model/plan/plan.ts';
import { ruleName } from '../../plan/access-policy/finding-message.ts';
import { allowedRule } from '../../plan/access-policy/plan-rules.ts';
import { present } from '../../model/present.ts';
import type { PlanInput } from '../../plan/input.ts';
import { exceededLimit, whyApproval } from '../../plan/policy.ts';
import type { SyncBlocker } from './sync-policy.ts';

/** What is known of the changes beside the plan. */
interface Judgements {
  readonly isApproved: (address: Address) => boolean;
  /** Whether manifests with errors may say something else about it. */
  readonly isDoubtful: (address: Address) => boolean;
  readonly isIntended: Intended;
}

/** Whether a full plan does all of this at an address as well, or opens more. */
type Intended = (address: Address, facts: readonly Fact[]) => boolean;

/** What a change does, for comparing two plans. */
interface Fact {
  readonly key: string;
  /** What requests still have to satisfy, where it opens access. */
  readonly asked: readonly string[];
}

/** What a full plan intends; found once, and only when a part of the plan is judged. */
export function intendedBy(full: Plan, input: PlanInput): Intended {
  let found: ReadonlyMap<string, readonly Fact[]> | undefined;
  return (address, facts) => {
    found ??= groupBy(
      concerns(full, input).flatMap((one) => one.facts.map(({ key, asked }) => ({ key: one.address + key, asked }))),
      ({ key }) => key,
    );
    return facts.every(({ key, asked }) =>
      found?.get(address + key)?.some((wider) => wider.asked.every((one) => asked.includes(one))),
    );
  };
}

/**
 * The changes of a part of a plan that the policy does not allow, and why: not without approval, or not without changes that are left out. Approved changes are not counted. Manifests and approvals
 * are about what the full plan does: what a change opens only because others are left out, nobody wants, and it waits for these.
 */
export function refusedByPolicy(
  part: Plan,
  input: PlanInput,
  { isApproved, isDoubtful, isIntended }: Judgements,
): Map<Address, SyncBlocker> {
  const refused = new Map<Address, SyncBlocker>();
  const going = part.changes.filter((change) => countsAsDeletion(change) && !isApproved(change.address));
  const limit = exceededLimit(going.length, input);
  if (limit !== undefined) {
    const message = `${counted(going.length, 'deletion')} in one plan: ${limit.text} without approval`;
    for (const { address } of going) refused.set(address, { reason: 'approval', message });
  }
  const found = concerns(part, input);
  for (const { address, needsApproval, message, hazardCode } of found)
    if (needsApproval && !isApproved(address))
      refused.set(address, { reason: 'approval', message, ...present({ hazardCode }) });
  for (const { address, facts, message, opens } of found) {
    const waits = (text: string): void => void refused.set(address, { reason: 'dependency', message: text + message });
    if (!isIntended(address, facts))
      waits('the change depends on changes that are not applied yet; without those changes: ');
    else if (opens && isDoubtful(address))
      waits('the change waits until the errors in the manifests are corrected; until then: ');
  }
  return refused;
}

/** What a change does that the policy allows only with approval, or that opens access: in words, and as facts by which plans are compared. */
interface Concern extends Pick<SyncBlocker, 'message' | 'hazardCode'> {
  readonly address: Address;
  readonly needsApproval: boolean;
  readonly opens: boolean;
  readonly facts: readonly Fact[];
}

function concerns({ hazards, rules = [] }: Plan, { policy }: PlanInput): readonly Concern[] {
  const block = new Set(policy.block);
  return [
    ...hazards.flatMap((hazard) => {
      const { code: hazardCode, listedBy } = hazard;
      const needsApproval = whyApproval(hazard, block) !== undefined;
      const opens = opening.has(hazardCode) && listedBy === undefined;
      if (!needsApproval && !opens) return [];
      const message = `${hazardCode}: ${hazard.message}`;
      return causesOf(hazard).map((address) => ({
        address,
        needsApproval,
        opens,
        facts: factsOf(hazard, address),
        message,
        hazardCode,
      }));
    }),
    ...rules.flatMap((rule) => {
      const [facts, message] = [[factOf(allowedRule(rule.rule))], `the change breaks ${ruleName(rule)}`];
      const causes = rule.isBreach && rule.source === 'repository' ? rule.causes : [];
      return causes.map((address) => ({ address, needsApproval: true, opens: true, facts, message }));
    }),
  ];
}

const opening: ReadonlySet<HazardCode> = new Set(['OPENS_ACCESS', 'EXPOSES_PUBLICLY']);

/** A hazard as facts: one for each URL, where it is about URLs; none where it is about the stack, whichever change it names. */
function factsOf(
  { code, temporary = false, urls = [], effects, isOfStack }: Hazard,
  address: Address,
): readonly Fact[] {
  if (isOfStack === true) return [];
  const own = effects?.filter(({ cause }) => cause === address) ?? [{ urls, before: '', after: '' }];
  const facts = own.flatMap(({ urls, before, after, asked }) =>
    urls.map((url) => factOf(JSON.stringify([code, temporary, url, before, asked === undefined && after]), asked)),
  );
  return facts.length === 0 ? [factOf(code)] : facts;
}

function factOf(key: string, asked: readonly string[] = []): Fact {
  return { key, asked };
}

/** The input without the policy, which is checked here change by change. */
export function withoutPolicy(input: PlanInput): PlanInput {
  const policy = { ...input.policy, maxDeletes: { count: Number.MAX_SAFE_INTEGER }, block: [] };
  const rules = (input.policy.access ?? []).flatMap((set) => set.rules.map(({ name }) => allowedRule(name)));
  return { ...input, allow: [...hazardCodes, ...rules], policy };
}

/** Whether a change deletes an instance that counts as a deletion: duplicates that were created by mistake do not (decisions/0013). */
export function countsAsDeletion({ action, cleanup }: Pick<Change, 'action' | 'cleanup'>): boolean {
  return cleanup === undefined && (action === 'delete' || isReplacement(action));
}
