import { safeText } from '../../diagnostics/safe-text.ts';
import type { Fields, KindSet } from '../../kinds/kind.ts';
import { type Change, type Hazard, type Plan, isReplacement } from '../../model/plan/plan.ts';
import type { PlanResult } from '../formats/format.ts';
import { atOnce, mapSliced, type Sliced } from '../../model/sliced.ts';
import type { Verification } from '../../model/verification.ts';
import { ruleLines } from '../access/rule-lines.ts';
import { accessChanges, otherHazards } from './access-changes.ts';
import { actionWords } from './action-words.ts';
import { foldIdentical, hazardsBySeverity, type ReadChange } from './reading-order.ts';
import { driftHeading, splitByCause } from './drift.ts';
import { fieldDifference, type FieldDifference } from '../values/field-difference.ts';
import { fieldValueText, idNames, type IdNames } from '../values/field-value.ts';
import { placeText } from '../../diagnostics/diagnostic.ts';
import type { Palette } from '../text/palette.ts';
import { instanceLines, issueLines, lostValues, unmanagedLines } from './change-lines.ts';
import { shownParts, wholePlan, type SharedWith, type ShownPart } from './shown-parts.ts';
import { planSummary, snapshotLine } from './plan-summary.ts';
import { requestsText } from './requests-text.ts';
import { specText } from '../values/spec-text.ts';
import { unresolvedText } from './unresolved-creations.ts';
import { paintedLine } from '../text/text-diff.ts';
import { verificationDetails, verificationLine } from './verification-lines.ts';
import { dependenciesByChange } from './dependencies.ts';
import { glued, wrap } from '../text/wrap.ts';

/** How a plan is to be shown. */
export interface PlanTextOptions extends Partial<Pick<PlanResult, 'verified' | 'parts'>> {
  readonly kinds: KindSet;
  readonly palette: Palette;
  /** Columns to fit in; none means lines are never broken. */
  readonly width?: number;
  /** List every request as well. */
  readonly requests?: boolean;
}

/** A plan for a person: hazards first, then every change with its reasons, then the summary. */
export function planText(plan: Plan, options: PlanTextOptions): string {
  return atOnce(planTextInSteps(plan, options));
}

/** The same in steps of one change. */
export function* planTextInSteps(plan: Plan, options: PlanTextOptions): Sliced<string> {
  const { palette, width } = options;
  const around = aroundIn(plan, options);
  const parts = options.parts === undefined ? undefined : shownParts(plan, options.parts);
  yield;
  const changes = parts === undefined ? [...(yield* causeSections(plan.changes, around))] : [];
  for (const part of parts ?? []) changes.push(...(yield* partSections(part, around)));
  const sections = [
    unresolvedLines(plan, palette).map((line) => wrap(line, width, 4)),
    ruleSection(plan, palette).map((line) => wrap(line, width, 4)),
    accessLines(plan, palette).map((line) => wrap(line, width, 4)),
    hazardLines(otherHazards(plan), palette).map((line) => wrap(line, width, 4)),
    verifiedLines(options.verified, palette).map((line) => wrap(line, width, 8)),
    ...changes,
    plan.snapshot === undefined ? [] : [wrap(palette.quiet(snapshotLine(plan)), width, 4)],
    plan.complete ? [] : ['Targeted plan: resources that are not targeted are not deleted.'],
    options.requests === true && plan.steps.length > 0 ? [requestsText(plan, palette, width)] : [],
    [palette.strong(wrap(`${parts === undefined ? '' : wholePlan}${planSummary(plan)}`, width, 4))],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** What one change of a plan does, as the plan shows it below the address: why, its fields, what stays unmanaged. */
export function changeText(plan: Plan, options: PlanTextOptions): (change: Change) => string {
  const around = aroundIn(plan, options);
  return (change) =>
    detailLines(change, around.besideOf(change), around)
      .map((line) => wrap(line, options.width, 4))
      .join('\n');
}

function unresolvedLines({ unresolved }: Plan, palette: Palette): string[] {
  return unresolved.map(
    (one) => `${palette.danger('?')} ${palette.strong(safeText(one.address))}: ${safeText(unresolvedText(one), 2000)}`,
  );
}

function ruleSection({ rules = [] }: Plan, palette: Palette): string[] {
  return ruleLines(rules).map(({ verdict, text }) => {
    if (verdict === 'holds') return `  ${palette.quiet(text)}`;
    return verdict === 'broken' ? `${palette.danger('!')} ${text}` : `${palette.changed('?')} ${text}`;
  });
}

function accessLines(plan: Plan, palette: Palette): string[] {
  const changes = accessChanges(plan).flatMap(({ hazards, before, after }) =>
    hazards.flatMap(({ code, address, message }) => [
      `${palette.danger(`! ${code}`)}  ${palette.strong(safeText(address))}: ${safeText(message)}`,
      `    ${palette.quiet(before === after ? `before and after: ${safeText(after)}` : `before: ${safeText(before)}; after: ${safeText(after)}`)}`,
    ]),
  );
  const meant = plan.publicByPolicy.map((url) => `  public on purpose (listed in access.public): ${safeText(url)}`);
  return [...changes, ...meant];
}

function hazardLines(hazards: readonly Hazard[], palette: Palette): string[] {
  return hazardsBySeverity(hazards).map(({ code, address, message, temporary, isOfStack }) => {
    const when = temporary === true ? ' (temporary)' : '';
    const subject = isOfStack === true ? '' : `${palette.strong(safeText(address))}: `;
    return `${palette.danger(`! ${code}${when}`)}  ${subject}${safeText(message)}`;
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

/** What is shown of a change beside its fields. */
interface Beside {
  readonly issued: readonly string[];
  readonly dependsOn: readonly string[];
}

type Around = PlanTextOptions & {
  readonly names: IdNames;
  readonly hazards: readonly Hazard[];
  readonly besideOf: (change: Change) => Beside;
};

function aroundIn(plan: Plan, options: PlanTextOptions): Around {
  const [dependencies, issued] = [dependenciesByChange(plan.steps), issueLines(plan)];
  const besideOf = (change: Change): Beside => ({ issued: issued(change.address), dependsOn: dependencies(change) });
  return { ...options, names: idNames(plan), hazards: plan.hazards, besideOf };
}

function under(lines: readonly string[], { issued, dependsOn }: Beside): Beside {
  return { issued: [...lines, ...issued], dependsOn };
}

function* partSections({ heading, notes, changes, sharedOf }: ShownPart, around: Around): Sliced<string[][]> {
  const { palette, width } = around;
  const besideOf = (change: Change): Beside => under(sharedOf(change.address).map(sharedText), around.besideOf(change));
  const title = palette.strong(wrap(`${safeText(heading)}.`, width, 4));
  return [
    [title, ...notes.map((note) => wrap(safeText(note, 2000), width, 4))],
    ...(yield* causeSections(changes, { ...around, besideOf })),
  ];
}

function sharedText({ title, fields }: SharedWith): string {
  return `also in the part "${title}"${fields.length === 0 ? '' : `: ${fields.map((one) => safeText(one)).join(' ')}`}`;
}

/** Changes that the manifests introduce, then those that only repair drift. */
function* causeSections(changes: readonly Change[], around: Around): Sliced<string[][]> {
  const { introduced, repairs, both } = splitByCause(changes);
  const { palette, width, besideOf } = around;
  const introducedRead = yield* mapSliced(introduced, (change): ReadChange => {
    const seeBelow = both.has(change.address) ? ['the resource also drifted, see below'] : [];
    return { change, details: detailLines(change, under(seeBelow, besideOf(change)), around) };
  });
  const repairsRead = yield* mapSliced(repairs, (change): ReadChange => {
    const beside = both.has(change.address) ? nothingBeside : besideOf(change);
    return { change, details: detailLines(change, beside, around) };
  });
  return [
    ...(yield* changeSections(introducedRead, around)),
    ...(repairs.length === 0 ? [] : [[palette.strong(wrap(`${driftHeading}.`, width, 0))]]),
    ...(yield* changeSections(repairsRead, around)),
  ];
}

const nothingBeside: Beside = { issued: [], dependsOn: [] };

function* changeSections(changes: readonly ReadChange[], around: Around): Sliced<string[][]> {
  return yield* mapSliced(foldIdentical(changes, around.hazards), (group) =>
    groupLines(group, around).map((line) => wrap(line, around.width, 8)),
  );
}

function groupLines(group: readonly ReadChange[], around: Around): string[] {
  const [first] = group;
  if (first === undefined) return [];
  const { palette } = around;
  const { symbol, colour, toDo } = actionWords[first.change.action];
  const sign = palette[colour](symbol);
  const details = first.details.map((line) => `    ${line}`);
  if (group.length === 1) {
    const { movedFrom } = first.change;
    const was = movedFrom === undefined ? [] : [`    moved from ${safeText(movedFrom)}`];
    return [`${sign} ${headText(first.change, around)}`, ...was, ...details];
  }
  const heading = palette.strong(`${toDo} ${group.length} ${safeText(first.change.kind)}, with the same changes`);
  return [
    `${sign} ${heading}`,
    ...group.map(({ change }) => {
      const was = change.movedFrom === undefined ? '' : `  moved from ${glued(safeText(change.movedFrom))}`;
      return `    ${headText(change, around)}${was}`;
    }),
    ...details,
  ];
}

function headText(change: Change, { kinds, palette, names }: Around): string {
  const fields = kinds.named(change.kind)?.fields ?? {};
  return `${palette.strong(safeText(change.address))}${besides(change, fields, palette, names)}`;
}

function detailLines(change: Change, { issued, dependsOn }: Beside, { kinds, palette, names }: Around): string[] {
  const kind = kinds.named(change.kind);
  const fields = kind?.fields ?? {};
  const { blocked } = change;
  return [
    ...change.why.map((why) => safeText(why)),
    ...instanceLines(change),
    ...lostValues(change, kind),
    ...contentLines(change, fields, palette, names),
    ...issued,
    ...(change.action === 'write-file' ? [] : unmanagedLines(change.unmanagedFields)).map(palette.quiet),
    ...dependsOn.map(palette.quiet),
    ...(blocked === undefined ? [] : [palette.danger(`BLOCKED ${blocked.code}: ${safeText(blocked.message)}`)]),
  ];
}

/** Its source, id and natural key. */
function besides({ place, shows, id }: Change, fields: Fields, { quiet }: Palette, names: IdNames): string {
  const parts = [
    ...(place === undefined ? [] : [quiet(glued(safeText(placeText(place))))]),
    ...(id === undefined ? [] : [quiet(glued(safeText(id)))]),
    ...Object.entries(shows).map(([name, value]) => keyPart(name, fieldValueText(value, fields[name], names))),
  ];
  return parts.length === 0 ? '' : `  ${parts.join(glued(' ·') + ' ')}`;
}

/** A natural key with its name beside it; only a list may be broken, between its entries. */
function keyPart(name: string, value: string): string {
  return `${safeText(name)}${glued(' ')}${value.startsWith('[') ? value : glued(value)}`;
}

function contentLines(change: Change, fields: Fields, palette: Palette, names: IdNames): string[] {
  if (change.action === 'create') return specText(change.desired ?? {}, fields, names);
  if (change.action === 'forget') return [];
  if (change.action === 'delete')
    return specText(change.actual ?? {}, fields, names).map((text) => paintedLine({ sign: '-', text }, palette));
  return change.fields.flatMap((field) =>
    fieldText(fieldDifference(field, fields, isReplacement(change.action), names), palette),
  );
}

/** One field that differs, before and after, and why; the first line begins at the margin. */
function fieldText({ name, why, values, wholeChange, lines }: FieldDifference, palette: Palette): string[] {
  const note = palette.quiet(`  (${why})`);
  if (values !== undefined) return [`${name}: ${values[0]} ${palette.quiet('->')} ${values[1]}${note}`];
  const heading = wholeChange === undefined ? `${name}:` : `${name}: ${wholeChange}`;
  return [`${heading}${note}`, ...lines.map((line) => `    ${paintedLine(line, palette)}`)];
}
