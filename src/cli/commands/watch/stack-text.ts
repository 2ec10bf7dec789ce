import type { AccessComparison } from '../../../model/exposure/access-comparison.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { placeText } from '../../../diagnostics/place-text.ts';
import { groupBy } from '../../../model/group-by.ts';
import { failedSubject } from '../../../model/status/failed-subject.ts';
import { isLasting } from '../../../model/status/stuck-failure.ts';
import { conflictAdvice, conflictSummary } from '../../../render/status/conflict-text.ts';
import { manualChoices } from '../../../render/status/manual-choices.ts';
import { pendingWords } from '../../../render/status/pending-words.ts';
import { commandsIn, sluiceCommand } from '../../../render/status/sluice-command.ts';
import { revisionFacts } from '../../../render/status/revision-facts.ts';
import { pendingAdvice } from '../../../render/status/pending-advice.ts';
import { approvalEffectText, approvalStartText } from '../../../render/status/status-words.ts';
import type { StatusJson } from '../../../render/status/status-json-schema.ts';
import { approvalLines } from '../../../render/plan/approval-summary.ts';

/** A status in a few lines: its condition, who can reach what they must not, how to approve, what was applied last, what failed, what is pending with its hazards. */
export function stackText({
  conditions,
  activity,
  action_required,
  pause,
  failures,
  pending,
  pending_total,
  approval_summary: approval,
  approval_access: access,
  approval_digest: digest,
  approval_obstacle: obstacle,
  approval_ways: ways,
  approval_given: given,
  exposures,
  rule_breaches: breaches,
  refused_approval,
  applies,
  diagnostics,
  drift_conflicts,
  last_refreshed,
  directory: dir,
  role,
  ...revisions
}: StatusJson): string {
  const ready = conditions.find(({ type }) => type === 'Ready');
  const [last] = applies;
  const applied =
    last !== undefined && last_refreshed !== undefined && last.start_time >= last_refreshed
      ? last.changes.map(({ address, action, outcome }) => `  ${outcome}: ${action} ${address}`)
      : [];
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  // A pause comes first: nothing is applied while it lasts.
  const lines = [
    ...(pause === undefined ? [] : [pauseLine(pause, dir)]),
    `Ready: ${ready?.status ?? 'Unknown'} (${ready?.reason ?? 'Unknown'})${ready === undefined || ready.message === '' ? '' : `: ${ready.message}`}`,
    ...(role === 'standby' ? [] : revisionLines(revisions)),
    `  activity: ${activity.summary}`,
    ...action_required.map(({ summary }) => `  action required: ${summary}`),
    ...firstOf(breaches, 'broken access rules', ({ address, message }) => [
      `  broken access rule: ${address}: ${message}`,
    ]),
    ...firstOf(exposures, 'resources that are public, but should not be', ({ address, message }) => [
      `  public, but should not be: ${address}: ${message}`,
    ]),
    ...(approval === undefined
      ? []
      : approvalLines(approval, approval.follows, comparisonOf(access)).map((line) => `  ${line}`)),
    ...(digest === undefined ? [] : approveLines(digest, { obstacle, ways, dir, given })),
    ...applied,
    ...failures.filter((one) => !isListed(one, errors)).map((one) => failureLine(one, { dir, role })),
    ...firstOf(errors, 'errors in the manifests', diagnosticLines),
    ...firstOf(drift_conflicts, 'drift conflicts', conflictLines),
    ...pending
      .slice(0, mostLines)
      .flatMap((one) => [
        pendingLine(one),
        ...(saysMore.has(one.reason) ? [`    ${one.message}`] : []),
        ...hazardLines(one),
        ...(one.still_open ?? []).map((text) => `    ${text}`),
      ]),
    ...(refused_approval === undefined ? [] : [`  ${refused_approval}`]),
    ...(pending_total > mostLines ? [`  ${String(pending_total - mostLines)} more pending changes`] : []),
    ...adviceLines(pending, dir),
  ];
  return lines.map((line) => `${safeText(line, 1_000)}\n`).join('');
}

const mostLines = 20;

// Of other reasons, the summary says all, or a failure is listed.
const saysMore: ReadonlySet<string> = new Set(['plan-error', 'contains-unmanaged', 'operator-policy']);

/** The comparison as the page has it. */
function comparisonOf(access: StatusJson['approval_access']): AccessComparison | undefined {
  return access === undefined ? undefined : { rows: access.compared, omitted: access.omitted };
}

function firstOf<T>(all: readonly T[], what: string, linesOf: (one: T) => readonly string[]): readonly string[] {
  const rest = all.length - mostLines;
  return [...all.slice(0, mostLines).flatMap(linesOf), ...(rest > 0 ? [`  ${String(rest)} more ${what}`] : [])];
}

interface ApprovalFacts {
  readonly obstacle: StatusJson['approval_obstacle'];
  readonly ways: StatusJson['approval_ways'];
  readonly dir: string | undefined;
  readonly given: StatusJson['approval_given'];
}

/** The ways to approve what is pending, as on the page; or who has approved it. */
function approveLines(digest: string, { obstacle, ways, dir, given }: ApprovalFacts): readonly string[] {
  if (given !== undefined)
    return [`  approved by ${given.by} at ${given.time}; the changes are applied ${approvalStartText(obstacle)}`];
  if (obstacle === 'unsaved') return [`  ${approvalEffectText(obstacle)}`];
  return [
    `  approved changes are applied ${approvalStartText(obstacle)}`,
    `  to approve these changes, run: ${sluiceCommand(dir, ['approve', digest])}`,
    ...(ways.includes('commit') ? [`  or push a signed commit with the trailer: Sluice-Approve: ${digest}`] : []),
    ...(ways.includes('page') ? ['  or approve these changes on the status page'] : []),
  ];
}

/** What to do about what waits for something else than an approval, as on the page, once for each reason. */
function adviceLines(pending: StatusJson['pending'], dir: string | undefined): readonly string[] {
  return [...groupBy(pending, ({ reason }) => reason)].flatMap(([reason, same]) => {
    if (reason === 'manual') return choiceLines(same, dir);
    const advice = pendingAdvice({ reason, dir });
    return advice === '' ? [] : [`  to resolve a change (${pendingWords(reason)}): ${advice}`];
  });
}

/** The ways to resolve changes that watch does not apply automatically, for each cause, each with its commands. */
function choiceLines(pending: StatusJson['pending'], dir: string | undefined): readonly string[] {
  return [...groupBy(pending, ({ cause }) => cause)].flatMap(([cause, same]) => {
    const changes = same.map(({ address, action, fields }) => ({ address, action, fields }));
    return manualChoices({ ...(cause === undefined ? {} : { cause }), changes, dir }).flatMap(
      ({ label, text, commands }) => [
        `  ${label.charAt(0).toLowerCase()}${label.slice(1)}: ${text}`,
        ...commands.map((command) => `    ${command}`),
      ],
    );
  });
}

/** The revisions of the stack, as on the page. */
function revisionLines({
  observed_revision,
  applied_revision,
  last_good_revision,
  revision,
}: Revisions): readonly string[] {
  if (revision === undefined) return [];
  return revisionFacts({
    revision,
    lastGood: last_good_revision,
    observed: observed_revision,
    applied: applied_revision,
  }).map(({ label, revision: one, note }) => {
    const text = one === undefined ? 'no revision yet' : revisionText(one);
    const more = [
      ...(one?.branch === undefined ? [] : [` on ${one.branch}`]),
      ...(one?.subject === undefined ? [] : [` ${one.subject}`]),
      ...(note === undefined ? [] : [` (${note})`]),
    ];
    return `  ${label.charAt(0).toLowerCase()}${label.slice(1)}: ${text}${more.join('')}`;
  });
}

type Revisions = Pick<StatusJson, 'revision' | 'last_good_revision' | 'observed_revision' | 'applied_revision'>;

function revisionText({
  commit,
  content,
  uncommitted_changes: isUncommitted,
}: NonNullable<StatusJson['revision']>): string {
  return `${isUncommitted === true ? 'uncommitted changes on top of ' : ''}${commit?.slice(0, 7) ?? content}`;
}

function hazardLines({ hazards }: StatusJson['pending'][number]): readonly string[] {
  return hazards.map(
    ({ code, address, message, temporary }) =>
      `    ! ${code}${temporary === true ? ' (temporary)' : ''}  ${address}: ${message}`,
  );
}

interface FailureContext extends Pick<StatusJson, 'role'> {
  readonly dir: string | undefined;
}

/** What failed, what to do, and when it is tried again, as on the page. */
function failureLine(failure: StatusJson['failures'][number], { dir, role }: FailureContext): string {
  const { message, hint, next_attempt: next } = failure;
  const retried = isLasting(failure) ? 'each retry fails until the cause is corrected' : 'retried automatically';
  const isPaused = role === 'paused';
  const when = isPaused ? ' after the pause ends' : next === undefined ? '' : `, next attempt at ${next}`;
  return `  failed: ${failedSubject(failure)} [${failure.code}]: ${message}${hint === undefined ? '' : ` (${commandsIn(hint, dir)})`}; ${retried}${when}`;
}

/** Whether the errors in the manifests say what failed: the first of them is the failure. */
function isListed(
  { scope, code, message }: StatusJson['failures'][number],
  errors: StatusJson['diagnostics'],
): boolean {
  return scope === 'manifests' && errors.some((error) => error.code === code && message.includes(error.message));
}

/** An error in the manifests, with its place and what to do. */
function diagnosticLines({ code, message, hint, source }: StatusJson['diagnostics'][number]): readonly string[] {
  const where = source === undefined ? '' : `${placeText(source)}: `;
  return [`  error[${code}] ${where}${message}`, ...(hint === undefined ? [] : [`    hint: ${hint}`])];
}

/** What something else changes back, with both values, as on the page. */
function conflictLines(conflict: StatusJson['drift_conflicts'][number]): readonly string[] {
  const { address, pointer, desired, actual } = conflict;
  return [
    `  drift conflict: ${address}: ${conflictSummary(conflict)}`,
    ...(pointer === '' ? [] : [`    desired: ${desired}`, `    actual: ${actual}`]),
    `    ${conflictAdvice(conflict)}`,
  ];
}

function pauseLine(
  { until, start_time, by, reason }: NonNullable<StatusJson['pause']>,
  dir: string | undefined,
): string {
  const who = `${by === undefined ? '' : ` by ${by}`}${start_time === undefined ? '' : ` at ${start_time}`}`;
  const how = until === undefined ? 'until `sluice resume` ends the pause' : `until ${until}`;
  return `Paused${who} ${how}${reason === undefined ? '' : `: ${reason}`}; no changes are applied during the pause; to resume now, run \`${sluiceCommand(dir, ['resume'])}\``;
}

function pendingLine({
  address,
  action,
  summary,
  introduced_by: by,
  introduced_earlier: isEarlier,
  since,
}: StatusJson['pending'][number]): string {
  const from = by === undefined ? '' : `, introduced by ${revisionText(by)}${isEarlier === true ? ' or earlier' : ''}`;
  return `  ${action === 'none' ? '' : `${action} `}${address}: ${summary}${from}, since ${since.slice(0, 19)}Z`;
}
