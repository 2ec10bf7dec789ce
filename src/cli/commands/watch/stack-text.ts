import { safeText } from '../../../diagnostics/safe-text.ts';
import { placeText } from '../../../diagnostics/diagnostic.ts';
import { groupBy } from '../../../model/group-by.ts';
import { failedSubject } from '../../../model/status/failed-subject.ts';
import { isLasting } from '../../../model/status/stuck-failure.ts';
import { manualChoices } from '../../../render/status/manual-choices.ts';
import { conflictAdvice, conflictSummary, pendingAdvice, pendingWords } from '../../../render/status/pending-words.ts';
import { commandsIn, sluiceCommand } from '../../../render/status/sluice-command.ts';
import { revisionFacts } from '../../../render/status/revision-facts.ts';
import { approvalEffectText, approvalStartText } from '../../../render/status/status-words.ts';
import type { StatusJson } from '../../../render/status/status-json-schema.ts';
import { approvalLines } from '../../../render/plan/approval-summary.ts';

/** A status in a few lines: its condition, who can reach what they must not, how to approve, what was applied last, what failed, what is pending with its hazards. */
export function stackText(status: StatusJson): string {
  const { pending, pause, approval_summary: approval, approval_access: access, directory: dir } = status;
  const ready = status.conditions.find(({ type }) => type === 'Ready');
  const errors = status.diagnostics.filter(({ severity }) => severity === 'error');
  // Errors come first, so what the document omits matters only where it has nothing else.
  const cut = errors.length === status.diagnostics.length ? status.diagnostics_total - errors.length : 0;
  // A pause comes first: nothing is applied while it lasts.
  const lines = [
    ...(pause === undefined ? [] : [pauseLine(pause, dir)]),
    `Ready: ${ready?.status ?? 'Unknown'} (${ready?.reason ?? 'Unknown'})${ready === undefined || ready.message === '' ? '' : `: ${ready.message}`}`,
    ...(status.role === 'standby' ? [] : revisionLines(status)),
    `  activity: ${status.activity.summary}`,
    ...status.action_required.map(({ summary }) => `  action required: ${summary}`),
    ...firstOf(
      status.rule_breaches,
      'broken access rules',
      ({ address, message }) => [`  broken access rule: ${address}: ${message}`],
      status.rule_breaches_total - status.rule_breaches.length,
    ),
    ...firstOf(
      status.exposures,
      'resources that are public, but should not be',
      ({ address, message }) => [`  public, but should not be: ${address}: ${message}`],
      status.exposures_total - status.exposures.length,
    ),
    ...(approval === undefined
      ? []
      : approvalLines(approval, approval.follows, access && { rows: access.compared, omitted: access.omitted }).map(
          (line) => `  ${line}`,
        )),
    ...approveLines(status),
    ...appliedLines(status),
    ...status.failures.filter((one) => !isListed(one, errors)).map((one) => failureLine(one, status)),
    ...moreLine(status.failures_total - status.failures.length, 'failures'),
    ...firstOf(errors, `errors ${cut > 0 ? 'and warnings ' : ''}in the manifests`, diagnosticLines, cut),
    ...firstOf(
      status.drift_conflicts,
      'drift conflicts',
      conflictLines,
      status.drift_conflicts_total - status.drift_conflicts.length,
    ),
    ...pending.slice(0, mostLines).flatMap(pendingLines),
    ...(status.refused_approval === undefined ? [] : [`  ${status.refused_approval}`]),
    ...moreLine(status.pending_total - mostLines, 'pending changes'),
    ...adviceLines(pending, dir),
  ];
  return lines.map((line) => `${safeText(line, 1_000)}\n`).join('');
}

const mostLines = 20;

// Of other reasons, the summary says all, or a failure is listed.
const saysMore: ReadonlySet<string> = new Set(['plan-error', 'contains-unmanaged', 'operator-policy']);

function firstOf<T>(
  all: readonly T[],
  what: string,
  linesOf: (one: T) => readonly string[],
  omitted = 0,
): readonly string[] {
  return [...all.slice(0, mostLines).flatMap(linesOf), ...moreLine(all.length - mostLines + omitted, what)];
}

function moreLine(count: number, what: string): readonly string[] {
  return count > 0 ? [`  ${String(count)} more ${what}`] : [];
}

/** What was applied since the account was last read. */
function appliedLines({ applies: [last], last_refreshed: refreshed }: StatusJson): readonly string[] {
  if (last === undefined || refreshed === undefined || last.start_time < refreshed) return [];
  const omitted = (last.omitted ?? []).reduce((sum, { count }) => sum + count, 0);
  return firstOf(
    last.changes,
    'changes of the last apply',
    ({ address, action, outcome }) => [`  ${outcome}: ${action} ${address}`],
    omitted,
  );
}

/** The ways to approve what is pending, as on the page; or who has approved it. */
function approveLines(status: StatusJson): readonly string[] {
  const { approval_digest: digest, approval_obstacle: obstacle, approval_given: given } = status;
  if (digest === undefined) return [];
  if (given !== undefined)
    return [`  approved by ${given.by} at ${given.time}; the changes are applied ${approvalStartText(obstacle)}`];
  if (obstacle === 'unsaved') return [`  ${approvalEffectText(obstacle)}`];
  const ways = status.approval_ways;
  return [
    `  approved changes are applied ${approvalStartText(obstacle)}`,
    `  to approve these changes, run: ${sluiceCommand(status.directory, ['approve', digest])}`,
    ...(ways.includes('commit') ? [`  or push a signed commit with the trailer: Sluice-Approve: ${digest}`] : []),
    ...(ways.includes('page') ? ['  or approve these changes on the status page'] : []),
  ];
}

/** What to do about what waits for something else than an approval, as on the page, once for each reason. */
function adviceLines(pending: StatusJson['pending'], dir: string | undefined): readonly string[] {
  return [...groupBy(pending, ({ reason }) => reason)].flatMap(([reason, same]) => {
    if (reason === 'manual') return choiceLines(same, dir);
    const advice = pendingAdvice(reason, { dir });
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
function revisionLines(status: StatusJson): readonly string[] {
  const { revision, last_good_revision: lastGood, observed_revision: observed, applied_revision: applied } = status;
  if (revision === undefined) return [];
  return revisionFacts({ revision, lastGood, observed, applied }).map(({ label, revision: one, note }) => {
    const text = one === undefined ? 'no revision yet' : revisionText(one);
    const more = [
      ...(one?.branch === undefined ? [] : [` on ${one.branch}`]),
      ...(one?.subject === undefined ? [] : [` ${one.subject}`]),
      ...(note === undefined ? [] : [` (${note})`]),
    ];
    return `  ${label.charAt(0).toLowerCase()}${label.slice(1)}: ${text}${more.join('')}`;
  });
}

function revisionText({ commit, content, uncommitted_changes }: NonNullable<StatusJson['revision']>): string {
  return `${uncommitted_changes === true ? 'uncommitted changes on top of ' : ''}${commit?.slice(0, 7) ?? content}`;
}

/** What failed, what to do, and when it is tried again, as on the page. */
function failureLine(failure: StatusJson['failures'][number], { directory, role }: StatusJson): string {
  const { message, hint, next_attempt: next } = failure;
  const retried = isLasting(failure) ? 'each retry fails until the cause is corrected' : 'retried automatically';
  const isPaused = role === 'paused';
  const when = isPaused ? ' after the pause ends' : next === undefined ? '' : `, next attempt at ${next}`;
  return `  failed: ${failedSubject(failure)} [${failure.code}]: ${message}${hint === undefined ? '' : ` (${commandsIn(hint, directory)})`}; ${retried}${when}`;
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

/** A change that is not applied: why, since when, with its hazards and who still gets in. */
function pendingLines(change: StatusJson['pending'][number]): readonly string[] {
  const { address, action, reason, summary, message, introduced_by: by, hazards, still_open: open = [] } = change;
  const orEarlier = change.introduced_earlier === true ? ' or earlier' : '';
  const from = by === undefined ? '' : `, introduced by ${revisionText(by)}${orEarlier}`;
  const what = action === 'none' ? address : `${action} ${address}`;
  return [
    `  ${what}: ${summary}${from}, since ${change.since.slice(0, 19)}Z`,
    ...(saysMore.has(reason) ? [`    ${message}`] : []),
    ...hazards.map((one) => {
      const when = one.temporary === true ? ' (temporary)' : '';
      return `    ! ${one.code}${when}  ${one.address}: ${one.message}`;
    }),
    ...open.map((text) => `    ${text}`),
  ];
}
