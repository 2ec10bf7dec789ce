import { safeText } from '../../diagnostics/safe-text.ts';
import type { Fields } from '../../kinds/kind.ts';
import type { KindSet } from '../../kinds/kind-set.ts';
import { isReplacement } from '../../model/replacement.ts';
import type { Change, Hazard, Plan } from '../../model/plan.ts';
import type { Verification } from '../../model/verification.ts';
import { actionWords } from './action-words.ts';
import { hazardsBySeverity } from './hazard-order.ts';
import { driftHeading, splitByCause } from './drift.ts';
import { fieldDifference, type FieldDifference } from '../values/field-difference.ts';
import { fieldValueText } from '../values/field-value.ts';
import { issueLines } from '../diagnostics/issue-lines.ts';
import type { Palette } from '../text/palette.ts';
import { instanceLines } from './instance-lines.ts';
import { planSummary } from './plan-summary.ts';
import { requestsText } from './requests-text.ts';
import { specText } from '../values/spec-text.ts';
import { unresolvedText } from './unresolved-text.ts';
import { verificationDetails, verificationLine } from './verification-lines.ts';
import { dependenciesByAddress } from './dependencies.ts';
import { glued, wrap } from '../text/wrap.ts';
import { paintedLine } from '../text/signed-line.ts';

/** How a plan is to be shown. */
export interface PlanTextOptions {
  readonly kinds: KindSet;
  readonly palette: Palette;
  /** Columns to fit in; none means lines are never broken. */
  readonly width?: number;
  /** List every request as well. */
  readonly requests?: boolean;
  /** The result of applying the plan to a copy of the account. */
  readonly verified?: Verification;
}

/** A plan for a person: hazards first, then every change with its reasons, then the summary. */
export function planText(plan: Plan, options: PlanTextOptions): string {
  const { palette, width } = options;
  const dependencies = dependenciesByAddress(plan.steps);
  const issued = issueLines(plan);
  const { introduced, repairs, both } = splitByCause(plan.changes);
  const sections = [
    unresolvedLines(plan, palette).map((line) => wrap(line, width, 4)),
    hazardLines(plan.hazards, palette).map((line) => wrap(line, width, 4)),
    verifiedLines(options.verified, palette).map((line) => wrap(line, width, 8)),
    ...introduced.map((change) =>
      changeLines(
        change,
        [...seeBelow(change, both), ...issued(change.address)],
        dependencies(change.address),
        options,
      ).map((line) => wrap(line, width, 8)),
    ),
    ...(repairs.length === 0 ? [] : [[palette.strong(wrap(`${driftHeading}.`, width, 0))]]),
    ...repairs.map((change) => {
      const isHalf = both.has(change.address);
      const beside = isHalf ? [] : issued(change.address);
      return changeLines(change, beside, isHalf ? [] : dependencies(change.address), options).map((line) =>
        wrap(line, width, 8),
      );
    }),
    plan.complete ? [] : ['Targeted plan: deletes are not considered.'],
    options.requests === true && plan.steps.length > 0 ? [requestsText(plan, palette, width)] : [],
    [palette.strong(wrap(planSummary(plan), width, 4))],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function unresolvedLines({ unresolved }: Plan, palette: Palette): string[] {
  return unresolved.map(
    (one) => `${palette.danger('?')} ${palette.strong(safeText(one.address))}: ${safeText(unresolvedText(one), 2000)}`,
  );
}

function hazardLines(hazards: readonly Hazard[], palette: Palette): string[] {
  return hazardsBySeverity(hazards).map(({ code, address, message, temporary }) => {
    const when = temporary === true ? ' (temporary)' : '';
    return `${palette.danger(`! ${code}${when}`)}  ${palette.strong(safeText(address))}: ${safeText(message)}`;
  });
}

function verifiedLines(verified: Verification | undefined, palette: Palette): string[] {
  if (verified === undefined) return [];
  const colour = verified.converges ? palette.added : palette.danger;
  return [
    colour(verificationLine(verified)),
    ...verificationDetails(verified).map((line) => `    ${palette.quiet(safeText(line, 2000))}`),
  ];
}

/** A reference to the other part of a change. */
function seeBelow({ address }: Change, both: ReadonlySet<string>): string[] {
  return both.has(address) ? ['also drifted, see below'] : [];
}

function changeLines(
  change: Change,
  issued: readonly string[],
  dependsOn: readonly string[],
  { kinds, palette }: PlanTextOptions,
): string[] {
  const { symbol, colour } = actionWords[change.action];
  const fields = kinds.named(change.kind)?.fields ?? {};
  const details = [
    ...(change.movedFrom === undefined ? [] : [`was ${safeText(change.movedFrom)}`]),
    ...change.why.map((why) => safeText(why)),
    ...instanceLines(change),
    ...contentLines(change, fields, palette),
    ...issued,
    ...unmanagedLines(change).map((line) => palette.quiet(line)),
    ...dependsOn.map((one) => palette.quiet(`depends on ${one}`)),
    ...(change.blocked === undefined
      ? []
      : [palette.danger(`BLOCKED ${change.blocked.code}: ${safeText(change.blocked.message)}`)]),
  ];
  return [
    `${palette[colour](symbol)} ${palette.strong(safeText(change.address))}${besides(change, fields, palette)}`,
    ...details.map((line) => `    ${line}`),
  ];
}

/** Its source, id and natural key. */
function besides({ place, shows, id }: Change, fields: Fields, { quiet }: Palette): string {
  const parts = [
    ...(place === undefined ? [] : [quiet(glued(`${safeText(place.file)}:${place.line}`))]),
    ...(id === undefined ? [] : [quiet(glued(safeText(id)))]),
    ...Object.entries(shows).map(([name, value]) => keyPart(name, fieldValueText(value, fields[name]))),
  ];
  return parts.length === 0 ? '' : `  ${parts.join(glued(' ·') + ' ')}`;
}

/** A natural key with its name beside it; only a list may be broken, between its entries. */
function keyPart(name: string, value: string): string {
  return `${name}${glued(' ')}${value.startsWith('[') ? value : glued(value)}`;
}

function contentLines(change: Change, fields: Fields, palette: Palette): string[] {
  if (change.action === 'create') return specText(change.desired ?? {}, fields);
  if (change.action === 'delete' || change.action === 'forget') return [];
  return change.fields.flatMap((field) =>
    fieldText(fieldDifference(field, fields, isReplacement(change.action)), palette),
  );
}

function unmanagedLines({ action, unmanagedFields }: Change): string[] {
  if (action === 'write-file') return [];
  return Object.entries(unmanagedFields).map(([pointer, by]) => `unmanaged: ${safeText(pointer)} (${safeText(by)})`);
}

/** One field that differs, before and after, and why; the first line begins at the margin. */
function fieldText({ name, why, values, said, lines }: FieldDifference, palette: Palette): string[] {
  const note = palette.quiet(`  (${said !== undefined && values !== undefined ? `${said}; ` : ''}${why})`);
  if (values !== undefined) return [`${name}: ${values[0]} ${palette.quiet('->')} ${values[1]}${note}`];
  const heading = said === undefined ? `${name}:` : `${name}: ${said}`;
  return [`${heading}${note}`, ...lines.map((line) => `    ${paintedLine(line, palette)}`)];
}
