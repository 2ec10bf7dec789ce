import { refsIn } from '../../derive/references.ts';
import type { Code } from '../../diagnostics/codes.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { controlsAccess } from '../../kinds/in-effect.ts';
import { isSpecObject } from '../../kinds/value.ts';
import { isReplacement } from '../../model/plan/plan.ts';
import { mapSliced, type Sliced } from '../../model/sliced.ts';
import { stateOnlyOwnership } from '../state-only.ts';
import { brokenRules, parentsOf, type Parents } from './broken-rules.ts';
import type { Decision, Decisions } from '../decide.ts';
import type { PlanInput } from '../input.ts';
import { otherOwner } from '../other-owner.ts';
import { expiries } from './expiry.ts';
import { takenOver } from './taken-over.ts';
import { hostportConflicts } from '../exposure/hostport-conflicts.ts';
import { ignoredAccessControl } from './ignored-access-control.ts';
import { duplicateContent } from './duplicate-content.ts';
import { unmarkedTwins } from './unmarked-twins.ts';
import { possibleRenames } from './possible-renames.ts';
import { ignoredSecrets, replacementSpec, moduleToWrite } from '../written-specs.ts';
import { validityPeriod } from './validity-period.ts';

/** What a reader of the plan should know beside the changes: errors that forbid it, warnings, notes. */
export function* planWarnings(decisions: Decisions, input: PlanInput): Sliced<Diagnostic[]> {
  const parents = parentsOf(decisions, input);
  const ofOne: readonly ((decision: Decision) => readonly Diagnostic[])[] = [
    unsupportedChange,
    (decision) => missingRefs(decision, parents, input),
    (decision) => brokenRules(decision, parents, input),
    (decision) => validityPeriod(decision, input),
    secretsOfWholeModules,
    (decision) => ignoredAccessControl(decision, parents, input),
    (decision) => adoptions(decision, input),
    (decision) => takenOver(decision, input),
    notes,
    (decision) => stateOnlyOwnership(decision, input.stack),
    (decision) => expiries(decision, input.now),
  ];
  const own: Diagnostic[] = [];
  for (const decision of decisions.values()) {
    yield;
    for (const find of ofOne) {
      const found = find(decision);
      if (found.length > 0) own.push(...found);
    }
  }
  const ofAll = [
    () => hostportConflicts(decisions, input),
    () => duplicateContent(decisions, input),
    () => unmarkedTwins(decisions, input),
    () => possibleRenames(decisions),
    () => unmanagedChildren(input),
    () => targeted(input),
  ];
  const others = yield* mapSliced(ofAll, (find) => find());
  return [...own, ...others.flat()];
}

function about(
  { pair: { address, desired } }: Decision,
  code: Code,
  message: string,
  hint: string,
  severity: Diagnostic['severity'] = 'error',
): Diagnostic {
  return { code, severity, message, address, ...(desired === undefined ? {} : { place: desired.place }), hint };
}

function unsupportedChange(decision: Decision): Diagnostic[] {
  const { unsupported } = decision;
  if (unsupported === undefined) return [];
  return [about(decision, 'UNSUPPORTED_CHANGE', unsupported.message, unsupported.hint)];
}

function missingRefs(decision: Decision, { decisions }: Parents, { account }: PlanInput): Diagnostic[] {
  if (decision.pair.refsAndSecrets.length === 0) return [];
  const missing = refsIn(decision.spec).filter((address) => {
    const target = decisions.get(address);
    return target === undefined ? !account.ours.has(address) : target.pair.desired === undefined;
  });
  return missing.map((address) =>
    about(
      decision,
      'UNRESOLVED_REFERENCE',
      `refers to ${address}, which does not exist`,
      `include ${address} in the plan, or apply ${address} first`,
    ),
  );
}

/** A module is written whole, so the request must contain a secret in it that is ignored (decisions/0034). */
function secretsOfWholeModules(decision: Decision): Diagnostic[] {
  const { pair, action, compared, spec } = decision;
  if (pair.actual === undefined || pair.desired === undefined || action === 'none') return [];
  if (Object.keys(compared.unmanagedFields).length === 0) return [];
  const changed = new Set(compared.changes.map(({ path }) => path[0]));
  const replacement = isReplacement(action) ? replacementSpec(decision) : undefined;
  return Object.entries(pair.kind.fields).flatMap(([name, field]) => {
    const wanted = replacement === undefined && changed.has(name) ? spec[name] : undefined;
    if (field.is !== 'group') return [];
    const written = isSpecObject(wanted) ? moduleToWrite(decision, name, field, wanted) : replacement?.[name];
    if (!isSpecObject(written)) return [];
    return ignoredSecrets(decision, name, field, written).map(({ pointer, isSent }) =>
      isSent
        ? about(
            decision,
            'IGNORED_SECRET_SENT',
            `\`${name}\` must be sent as a whole, and the service does not return the ignored secret at ${pointer}: the secret of the manifest overwrites that of the service`,
            'if another client has changed the secret, set its new value in the manifest first',
            'warning',
          )
        : about(
            decision,
            'SECRET_UNAVAILABLE',
            `\`${name}\` must be sent as a whole, but the secret at ${pointer} is unavailable: lifecycle.ignore excludes it, the service does not return it, and the manifest does not set it`,
            'set the secret in the manifest',
          ),
    );
  });
}

function adoptions(decision: Decision, { account }: PlanInput): Diagnostic[] {
  const { address, kind, actual, desired, adopted } = decision.pair;
  const id = desired?.lifecycle.adopt;
  const isOther = actual !== undefined && id !== undefined && actual.id !== id;
  if (isOther && account.foreign.some((one) => one.kind === kind.name && one.id === id))
    return [
      about(
        decision,
        'ADOPT_IGNORED',
        `${address} is already ${actual.id}, so the plan does not adopt ${id}`,
        `remove \`lifecycle.adopt\`; to manage ${id} as well, adopt it in a manifest with another name`,
        'warning',
      ),
    ];
  if (adopted !== true || !isReplacement(decision.action)) return [];
  return [
    about(
      decision,
      'ADOPT_REQUIRES_REPLACEMENT',
      `${decision.why.join('; ')}: adopting the resource with this manifest would replace it`,
      'make the manifest match the resource, adopt the resource, then change it',
    ),
  ];
}

function notes(decision: Decision): Diagnostic[] {
  const { pair, compared } = decision;
  if (pair.actual === undefined) return [];
  return compared.unverified.map((pointer) =>
    about(
      decision,
      'UNVERIFIED_SECRET',
      `the secret at ${pointer} cannot be read back, and state has no record of it`,
      'run `sluice apply --resend-secrets` to send the secret again',
      'warning',
    ),
  );
}

/** Unmanaged resources that are nested in managed ones (decisions/0033). */
function unmanagedChildren({ account, kinds, stack }: PlanInput): Diagnostic[] {
  if (account.foreign.length === 0) return [];
  const addressOf = new Map([...account.ours].map(([address, { id }]) => [id, address]));
  return account.foreign.flatMap((actual): Diagnostic[] => {
    const address = actual.parent === undefined ? undefined : addressOf.get(actual.parent);
    const kind = kinds.named(actual.kind);
    if (address === undefined || kind?.within === undefined) return [];
    const isControlled = Object.entries(kind.fields).some(([name, field]) => controlsAccess(field, actual.spec[name]));
    const value = actual.spec[kind.within.key];
    const key = typeof value === 'string' ? value : '';
    const owner = otherOwner(actual.marker, stack);
    return [
      {
        code: 'UNMANAGED_CHILD',
        severity: 'note',
        address,
        message: `${kind.name} ${actual.id} at ${key}, ${isControlled ? 'with' : 'without'} access control of its own, ${owner === undefined ? 'is unmanaged' : `belongs to the stack ${owner.text}`}; sluice does not change it`,
      },
    ];
  });
}

function targeted({ desired, account }: PlanInput): Diagnostic[] {
  if (desired.complete) return [];
  const wanted = new Set(desired.resources.map(({ address }) => address));
  return [...account.ours.keys()].some((address) => !wanted.has(address))
    ? [{ code: 'DELETES_SKIPPED', severity: 'note', message: 'resources that are not targeted are not deleted' }]
    : [];
}
