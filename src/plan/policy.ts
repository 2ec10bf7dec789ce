import { outputsIn } from '../derive/references.ts';
import { counted } from '../diagnostics/counted.ts';
import type { Profile } from '../kinds/kind.ts';
import { isUnallowedBreach, type RuleSource, type RuleVerdict } from '../model/exposure/access-rules.ts';
import type { Address } from '../model/address.ts';
import { causesOf, type Blocked, type Hazard, isReplacement } from '../model/plan/plan.ts';
import type { DeletionLimit } from '../model/stack.ts';
import { ruleName } from './access-policy/finding-message.ts';
import { allowedRule } from './access-policy/plan-rules.ts';
import { flagsOf, isRetained, markerAsKnown, type Decision } from './decide.ts';
import type { Match, PlanInput } from './input.ts';
import { unresolvedBefore } from './moves.ts';
import { otherOwner } from './other-owner.ts';
import { howToResolve } from './warnings/how-to-resolve.ts';

/** Managed resources from which on a percentage of deletions counts (law 7). */
const COUNTS_FROM = 10;

/** What apply refuses, by address, and why. The plan stays complete and shows it. */
export function blockedChanges(
  changing: readonly Decision[],
  hazards: readonly Hazard[],
  rules: readonly RuleVerdict[],
  input: PlanInput,
): Map<Address, Blocked> {
  const blocked = refusedDeletions(changing, input);
  const going = countedDeletions(changing, input);
  const limit = exceededLimit(going.length, input);
  if (limit !== undefined) {
    const code = limit.setBy === 'operator' ? 'OPERATOR_POLICY' : 'MAX_DELETES';
    for (const { pair } of going) block(blocked, pair.address, { code, message: limit.message });
  }
  for (const hazard of hazards) {
    const { code, listedBy } = hazard;
    // Nobody can allow what the operator blocks; what the operator lists as public is not blocked.
    if (listedBy === 'operator' || input.policy.operator?.block.includes(code) !== true) continue;
    const message = `the operator policy blocks the hazard ${code}`;
    for (const address of causesOf(hazard)) block(blocked, address, { code: 'OPERATOR_POLICY', message });
  }
  for (const [address, sentences] of approvalsNeeded(hazards, rules, input))
    block(blocked, address, { code: 'POLICY', message: [...sentences].join('; ') });
  for (const rule of rules.filter((one) => isUnallowedBreach(one) && one.source === 'operator'))
    for (const address of rule.causes)
      block(blocked, address, { code: 'OPERATOR_POLICY', message: `${ruleName(rule)} does not allow the change` });
  for (const { pair, spec } of changing)
    for (const { field, output } of outputsIn(spec))
      block(blocked, pair.address, {
        code: 'OUTPUT_NOT_KNOWN',
        message: `\`${field}\` of ${output.address} is known only after the stack ${output.stack} is applied`,
      });
  for (const { pair, action } of changing) {
    if (action !== 'create' || pair.desired === undefined) continue;
    const former = unresolvedBefore(pair.desired, input.state);
    if (former !== undefined)
      block(blocked, pair.address, {
        code: 'UNRESOLVED_CREATION',
        message: `the resource was renamed from ${former}, whose creation is unresolved; ${howToResolve(former)}`,
      });
  }
  return blocked;
}

/** Deletions that apply refuses whatever the policy allows: of what is protected or contains what must stay. */
function refusedDeletions(changing: readonly Decision[], input: PlanInput): Map<Address, Blocked> {
  const blocked = new Map<Address, Blocked>();
  const going = changing.filter(countsAgainstMaxDeletes);
  for (const decision of going) {
    if (isProtected(decision.pair, input.stack.profile))
      block(blocked, decision.pair.address, {
        code: 'PROTECTED',
        message: `the resource is protected; to delete or replace it, first ${wayToLift(decision, input)} and apply`,
      });
    const unmanaged = unmanagedInside(decision, input);
    if (unmanaged.length > 0)
      block(blocked, decision.pair.address, {
        code: 'CONTAINS_UNMANAGED',
        message: `${counted(unmanaged.length, 'unmanaged resource')} inside the resource would be deleted as well: ${listedUpTo(5, unmanaged)}; delete them in the service, or add manifests and import them`,
      });
  }
  for (const { pair, deletedWith } of going) {
    const isKept = blocked.get(pair.address)?.code === 'PROTECTED';
    const mayStay = pair.desired === undefined && isRetained(pair, input.stack.profile);
    if (deletedWith !== undefined && (isKept || mayStay))
      block(blocked, deletedWith, {
        code: 'CONTAINS_PROTECTED',
        message: `the resource contains ${pair.address}, which ${isKept ? 'is protected' : 'must be retained'}`,
      });
  }
  return blocked;
}

/** The deletions and replacements that count against the limit: without those that apply refuses anyway, and what would be deleted together with them. */
export function countedDeletions(changing: readonly Decision[], input: PlanInput): readonly Decision[] {
  const refused = refusedDeletions(changing, input);
  return changing.filter(
    (decision) =>
      countsAgainstMaxDeletes(decision) &&
      !refused.has(decision.pair.address) &&
      !(decision.deletedWith !== undefined && refused.has(decision.deletedWith)),
  );
}

/** What somebody must allow, with the reason of each, by the changes that cause it. Nobody allows a rule of the operator. */
function approvalsNeeded(
  hazards: readonly Hazard[],
  rules: readonly RuleVerdict[],
  { policy, allow = [] }: PlanInput,
): ReadonlyMap<Address, ReadonlySet<string>> {
  const refused = new Set(policy.block);
  const needed = new Map<Address, Set<string>>();
  const need = (addresses: readonly Address[], sentence: string): void => {
    for (const address of addresses) needed.set(address, (needed.get(address) ?? new Set()).add(sentence));
  };
  for (const hazard of hazards) {
    const { code } = hazard;
    const reason = whyApproval(hazard, refused);
    if (reason !== undefined && !allow.includes(code))
      need(causesOf(hazard), `${code} requires --allow ${code}: ${reason}`);
  }
  for (const rule of rules)
    if (isUnallowedBreach(rule) && rule.source === 'repository')
      need(rule.causes, `${ruleName(rule)} requires --allow ${allowedRule(rule.rule)}`);
  return needed;
}

/** Why a hazard stops an apply until somebody allows it: what the policy names, access that is temporarily open (decisions/0010), and what becomes public although it is not listed (decisions/0045). What the repository lists, it does not block. Undefined: it does not. */
export function whyApproval(hazard: Hazard, refused: ReadonlySet<string>): string | undefined {
  const { code, temporary, unlisted, listedBy } = hazard;
  if (listedBy === 'repository') return undefined;
  if (unlisted === true) return '`access.public` does not list the URLs that become public';
  if (code === 'OPENS_ACCESS' && temporary === true) return 'access is temporarily open during the apply';
  return refused.has(code) ? '`policy.block` lists the hazard' : undefined;
}

/** Whether a deletion or replacement counts against the limit: duplicates made by mistake are deleted in spite of every policy (decisions/0013). */
function countsAgainstMaxDeletes({ action, pair }: Decision): boolean {
  return pair.cleanup !== 'duplicate' && (action === 'delete' || isReplacement(action));
}

interface ExceededLimit {
  readonly setBy: RuleSource;
  readonly text: string;
  /** Why each of the deletions is blocked. */
  readonly message: string;
}

/** The limit that so many deletions at once exceed, if any: that of the operator before that of the repository. */
export function exceededLimit(count: number, { policy, account, destroying }: PlanInput): ExceededLimit | undefined {
  if (destroying === true) return undefined;
  const managed = account.ours.size;
  const of = (setBy: RuleSource, limit: DeletionLimit | undefined): ExceededLimit[] => {
    if (limit === undefined || count <= mostDeletions(limit, managed)) return [];
    const text = `${limitName[setBy]} allows ${limitText(limit, managed)}`;
    const remedy = setBy === 'operator' ? '' : '; restore manifests that are missing, or raise the limit';
    return [{ setBy, text, message: `${counted(count, 'deletion')} in one plan: ${text}${remedy}` }];
  };
  return [...of('operator', policy.operator?.maxDeletes), ...of('repository', policy.maxDeletes)][0];
}

const limitName: Readonly<Record<RuleSource, string>> = {
  operator: 'max_deletes (set by the operator policy)',
  repository: 'policy.max_deletes',
};

function mostDeletions(limit: DeletionLimit, managed: number): number {
  if ('count' in limit) return limit.count;
  return managed >= COUNTS_FROM ? Math.floor((managed * limit.percent) / 100) : Infinity;
}

function limitText(limit: DeletionLimit, managed: number): string {
  const most = mostDeletions(limit, managed);
  const text = most === 0 ? 'none' : String(most);
  return 'count' in limit ? text : `${text} (${String(limit.percent)}% of ${String(managed)}, rounded down)`;
}

/** Whether a resource must not be deleted: the strictest of manifest, state and marker counts (decisions/0032). */
export function isProtected(pair: Match, profile: Profile): boolean {
  const { desired, entry, kind } = pair;
  const wanted = desired !== undefined && flagsOf(kind, desired.lifecycle).protect;
  return wanted || entry?.protect === true || markerAsKnown(pair, profile)?.p.includes('p') === true;
}

/** How protection is lifted; destroy deletes also what has a manifest. */
function wayToLift({ pair }: Decision, { destroying }: PlanInput): string {
  const unprotected = '`lifecycle: {protect: false}`';
  if (destroying === true) return `set ${unprotected} in the manifest of the resource`;
  return pair.desired === undefined ? `restore the manifest of the resource with ${unprotected}` : `set ${unprotected}`;
}

/** The nested resources that this stack does not manage, each with its kind, id and key. */
function unmanagedInside({ pair }: Decision, { account, kinds, stack }: PlanInput): string[] {
  const id = pair.actual?.id;
  if (id === undefined) return [];
  return account.foreign
    .filter(({ parent }) => parent === id)
    .map((one) => {
      const key = one.spec[kinds.named(one.kind)?.within?.key ?? ''];
      const owner = otherOwner(one.marker, stack);
      const of = owner === undefined ? '' : ` (of the stack ${owner.text})`;
      return `${one.kind} ${one.id}${typeof key === 'string' ? ` at ${key}` : ''}${of}`;
    });
}

function listedUpTo(most: number, names: readonly string[]): string {
  const left = names.length - most;
  return `${names.slice(0, most).join(', ')}${left > 0 ? `, and ${counted(left, 'more resource')}` : ''}`;
}

/** Blocks a change. The first reason counts; but a policy of the operator replaces a reason that a person may allow. */
function block(blocked: Map<Address, Blocked>, address: Address, why: Blocked): void {
  const known = blocked.get(address)?.code;
  const mayBeAllowed = known === 'POLICY' || known === 'MAX_DELETES';
  if (known === undefined || (mayBeAllowed && why.code === 'OPERATOR_POLICY')) blocked.set(address, why);
}
