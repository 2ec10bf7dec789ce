import { pointerOf } from '../../derive/pointer.ts';
import type { KindSet } from '../../kinds/kind.ts';
import { splitAddress } from '../../model/address.ts';
import { byAddress } from '../../model/group-by.ts';
import {
  hazardsByChange,
  isEmptyPlan,
  type Change,
  type Hazard,
  type Plan,
  type Step,
  hasDrifted,
  isReplacement,
} from '../../model/plan/plan.ts';
import type { Reachability } from '../../model/exposure/exposure-change.ts';
import type { PlanParts } from '../../model/plan/plan-parts.ts';
import type { PlanResult } from '../formats/format.ts';
import { present } from '../../model/present.ts';
import type { Verification } from '../../model/verification.ts';
import { ruleJson } from '../access/rule-json.ts';
import { changeJson } from './change-json.ts';
import { diagnosticJson, placeJson } from '../diagnostics/diagnostic-json.ts';
import { driftAsChange } from './drift.ts';
import { maskMark } from '../values/masked-json.ts';
import type { PlanJson } from './plan-json-schema.ts';
import { requestPath } from './requests-text.ts';
import { inBothParts } from '../../plan/parts/part-of-plan.ts';
import { whyNotApprovable } from '../../plan/why-not-approvable.ts';
import { unverifiedSecrets } from '../../plan/warnings/unverified-secrets.ts';
import { shownBody } from '../values/shown-body.ts';
import { notApprovableText, planNumbers } from './plan-summary.ts';
import { unresolvedJson } from './unresolved-creations.ts';

interface PlanJsonOptions extends Partial<Pick<PlanResult, 'verified' | 'parts'>> {
  readonly kinds: KindSet;
  readonly digest?: string;
  /** Absent for a plan that is not approvable. */
  readonly reviewDigest?: string | undefined;
}

/** A plan as a value for JSON, in the shape of Terraform's plans so that policies written for those can read it. */
export function planJson(plan: Plan, options: PlanJsonOptions): PlanJson {
  const { kinds, digest, reviewDigest, verified, parts } = options;
  const notApprovable = whyNotApprovable(plan);
  const [hazardsOf, stepsOf] = [hazardsByChange(plan.hazards), byAddress(plan.steps)];
  return present({
    format_version: '1.0' as const,
    stack: { ...plan.stack },
    profile: plan.profile,
    complete: plan.complete,
    applyable: !isEmptyPlan(plan) && plan.changes.every(({ blocked }) => blocked === undefined),
    errored: false as const,
    digest,
    review_digest: reviewDigest,
    not_approvable:
      notApprovable.length === 0
        ? undefined
        : notApprovable.map((one) => ({ code: one.code, message: notApprovableText(one) })),
    timestamp: plan.now === undefined ? undefined : new Date(plan.now).toISOString(),
    snapshot: plan.snapshot && present({ taken_at: plan.snapshot.takenAt, revision: plan.snapshot.revision }),
    verification: verified && verificationJson(verified),
    parts: parts && partsJson(parts, kinds),
    summary: planNumbers(plan),
    unverified_secrets: unverifiedSecrets(plan),
    unresolved_creations: unresolvedJson(plan.unresolved),
    hazards: plan.hazards.map(hazardJson),
    public_by_policy: [...plan.publicByPolicy],
    exposure_changes: plan.exposureChanges.map(({ urls, before, after }) => ({
      urls: [...urls],
      before: reachabilityJson(before),
      after: reachabilityJson(after),
    })),
    access_rules: plan.rules?.map(ruleJson),
    resource_changes: plan.changes.map((change) =>
      resourceJson(change, kinds, stepsOf.get(change.address), hazardsOf.get(change.address)),
    ),
    resource_drift: plan.changes.filter(hasDrifted).map((change) => resourceJson(driftAsChange(change), kinds)),
    requests: plan.steps.map(requestJson),
    files: plan.files.map(({ address, path, reason }) => ({ address, path, reason })),
    diagnostics: plan.diagnostics.map(diagnosticJson),
  });
}

function verificationJson(verified: Verification): NonNullable<PlanJson['verification']> {
  const { remaining, failures, assumptions, ...facts } = verified;
  return {
    ...facts,
    failures: failures.map((failure) => ({ ...failure })),
    remaining_changes: remaining.map(({ address, action, fields }) => ({
      address,
      action,
      fields: fields.map(({ path }) => pointerOf(path)),
    })),
    assumptions: [...assumptions],
  };
}

function partsJson(parts: PlanParts, kinds: KindSet): NonNullable<PlanJson['parts']> {
  const base = { ...parts.base };
  if ('inseparable' in parts) return { base, inseparable: parts.inseparable };
  const shared = [...inBothParts(parts.thisChange, parts.pending)];
  const listed = (changes: readonly Change[]): ResourceJson[] => changes.map((change) => resourceJson(change, kinds));
  return {
    base,
    this_change: listed(parts.thisChange),
    already_pending: listed(parts.pending),
    ...('unknown' in parts.applied
      ? { applied: { unknown: parts.applied.unknown } }
      : {
          not_applied_yet: listed(parts.applied.notApplied),
          drift: listed(parts.applied.drift),
          applied: { commit: parts.applied.commit },
        }),
    in_both: shared.map(([address, fields]) => ({ address, fields: [...fields] })),
  };
}

type ReachabilityJson = PlanJson['exposure_changes'][number]['before'];

type ResourceJson = PlanJson['resource_changes'][number];

function resourceJson(
  change: Change,
  kinds: KindSet,
  steps: readonly Step[] = [],
  hazards: readonly Hazard[] = [],
): ResourceJson {
  const { address, kind, id, place, fields, movedFrom, deletedWith, blocked } = change;
  const unknown = steps.flatMap(({ request: { validFor } }) => (validFor === undefined ? [] : [validFor.field]));
  return present({
    address,
    previous_address: movedFrom,
    mode: 'managed' as const,
    type: kind,
    name: splitAddress(address).name,
    id,
    change: changeJson(change, kinds.named(kind)?.fields ?? {}, unknown),
    action_reason: reasonOf(change),
    source: place && placeJson(place),
    last_source: change.lastSource,
    reasons: fields.map(({ path, reason }) => ({ path: [...path], reason })),
    explanation: [...change.why],
    unmanaged_fields: { ...change.unmanagedFields },
    marker_only: change.markerOnly,
    protected: change.protect,
    deleted_with: deletedWith,
    blocked: blocked && { code: blocked.code, message: blocked.message },
    hazards: hazards.map(({ code }) => code),
    requests: steps.map(({ id }) => id),
  });
}

/** Terraform's words for why it is not a plain update. */
function reasonOf({ action, place }: Change): ResourceJson['action_reason'] {
  if (isReplacement(action)) return 'replace_because_cannot_update';
  return action === 'delete' && place === undefined ? 'delete_because_no_resource_config' : undefined;
}

function hazardJson(hazard: Hazard): PlanJson['hazards'][number] {
  const { causes, urls, asked, isOfStack: _, effects: __, listedBy, ...facts } = hazard;
  return present({
    ...facts,
    causes: causes && [...causes],
    urls: urls && [...urls],
    asked: asked && { ...asked },
    listed_by: listedBy,
  });
}

function reachabilityJson({ audience, who, requires, route, backend }: Reachability): ReachabilityJson {
  return present({
    public: audience === 'public',
    reachable: audience !== 'nobody',
    who,
    requires: [...requires],
    route,
    backend,
  });
}

function requestJson({ id, address, note, dependsOn, request }: Step): PlanJson['requests'][number] {
  const body = shownBody(request, (secret) => (secret === undefined ? { sensitive: true } : { ...maskMark(secret) }));
  return present({
    id,
    address,
    method: request.method,
    path: requestPath(request.path),
    body,
    note,
    depends_on: dependsOn.map(({ step, reason }) => ({ request: step, reason })),
  });
}
