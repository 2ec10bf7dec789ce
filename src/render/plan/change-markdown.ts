import { counted } from '../../diagnostics/counted.ts';
import { isRemoval, type Change, type FieldChange, isReplacement } from '../../model/plan/plan.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { placeText } from '../../diagnostics/diagnostic.ts';
import type { Fields, Kind } from '../../kinds/kind.ts';
import { actionWords } from './action-words.ts';
import { instanceLines, lostValues, unmanagedLines } from './change-lines.ts';
import { fieldDifference } from '../values/field-difference.ts';
import { fieldValueText, type IdNames } from '../values/field-value.ts';
import { html } from '../text/html.ts';
import { markdownCode, markdownFence, markdownText } from '../text/markdown-text.ts';
import type { Platform } from '../text/platform.ts';
import type { ReadChange } from './reading-order.ts';
import type { SharedWith } from './shown-parts.ts';
import { pathName, specText } from '../values/spec-text.ts';

// Names of fields listed in a row; the details have all of them.
const mostNames = 6;

// Resources listed in one box.
const mostResources = 50;

/** A change in a few words, for a row of a table. */
export function changeRemark(
  change: Change,
  kind: Kind | undefined,
  names: IdNames,
  shared: readonly SharedWith[] = [],
): string {
  const fields = kind?.fields ?? {};
  const { action, shows, why, blocked, movedFrom } = change;
  const known = Object.entries(shows).map(
    ([name, value]) => `${markdownCode(name)} ${markdownCode(fieldValueText(value, fields[name], names))}`,
  );
  const parts = [
    ...(blocked === undefined ? [] : [`**BLOCKED ${blocked.code}**: ${markdownText(blocked.message)}`]),
    ...(movedFrom === undefined ? [] : [`moved from ${markdownText(movedFrom)}`]),
    ...shared.map(({ title, fields }) => {
      const shown = fields.map((pointer) => markdownCode(pointer)).join(', ');
      return `also in the part **${title}**${shown === '' ? '' : `: ${shown}`}`;
    }),
    ...why.map((text) => markdownText(text)),
    ...lostValues(change, kind).map((text) => `**${markdownText(text)}**`),
    ...instanceLines(change).map((text) => markdownText(text)),
    ...(action === 'create' ? known : fieldNames(change.fields)),
  ];
  return parts.join('; ');
}

/** The lines of a change for a box of its own. */
export function changeContent(
  change: Change,
  kind: Kind | undefined,
  names: IdNames,
  beside: readonly string[] = [],
): string[] {
  return [
    ...contentLines(change, kind?.fields ?? {}, names),
    ...[...unmanagedLines(change.unmanagedFields), ...beside].map((line) => `  ${line}`),
  ];
}

/** A box with all details of changes that read the same, folded where the platform supports it. */
export function changeDetails(group: readonly ReadChange[], platform: Platform): string {
  const [first] = group;
  if (first === undefined) return '';
  const { action, address, kind } = first.change;
  const { symbol, toDo } = actionWords[action];
  const isOne = group.length === 1;
  const about = isOne ? '' : ` ${group.length}`;
  const what = isOne ? address : kind;
  const fence = markdownFence('diff', [...(isOne ? [] : resourceLines(group)), ...first.details]);
  if (!platform.html) return `#### ${markdownCode(symbol)} ${toDo}${about} ${markdownCode(what)}\n\n${fence}\n\n`;
  const summary = html`<summary><code>${symbol}</code> ${toDo}${about} <code>${what}</code></summary>`;
  return `<details>${summary.text}\n\n${fence}\n\n</details>\n\n`;
}

function resourceLines(group: readonly ReadChange[]): string[] {
  const named = group.slice(0, mostResources).map(({ change: { address, place } }) => {
    const source = place === undefined ? '' : `  ${safeText(placeText(place))}`;
    return `  ${safeText(address)}${source}`;
  });
  const more = group.length - named.length;
  return more === 0 ? named : [...named, `  and ${counted(more, 'more resource')}`];
}

function fieldNames(changes: readonly FieldChange[]): string[] {
  const reasons = [
    ['manifest changed:', changes.filter(({ reason }) => reason === 'changed')],
    ['drift:', changes.filter(({ reason }) => reason === 'drifted')],
    ['manifest changed and drift:', changes.filter(({ reason }) => reason === 'both')],
    ['cause unknown without state (manifest change or drift):', changes.filter(({ reason }) => reason === 'unknown')],
  ] as const;
  return reasons.flatMap(([words, found]) => (found.length === 0 ? [] : [`${words} ${namesOf(found)}`]));
}

function namesOf(changes: readonly FieldChange[]): string {
  const shown = changes.slice(0, mostNames).map(({ path }) => markdownCode(pathName(path)));
  const more = changes.length - shown.length;
  return `${shown.join(', ')}${more === 0 ? '' : ` and ${counted(more, 'more field')}`}`;
}

function contentLines(change: Change, fields: Fields, names: IdNames): string[] {
  const { action, desired, actual } = change;
  if (action === 'create') return specText(desired ?? {}, fields, names).map((line) => `+ ${line}`);
  if (isRemoval(action)) {
    const sign = action === 'delete' ? '-' : ' ';
    return specText(actual ?? {}, fields, names).map((line) => `${sign} ${line}`);
  }
  return change.fields.flatMap((field) => differenceLines(field, fields, isReplacement(change.action), names));
}

function differenceLines(change: FieldChange, fields: Fields, replaces: boolean, names: IdNames): string[] {
  const { name, why, wholeChange, values, lines } = fieldDifference(change, fields, replaces, names);
  return [
    `@@ ${name}${wholeChange === undefined ? '' : `: ${wholeChange}`} (${why}) @@`,
    ...(values === undefined ? [] : [`- ${values[0]}`, `+ ${values[1]}`]),
    ...lines.map(({ sign, text }) => (sign === '@' ? `  (${text})` : `${sign} ${text}`)),
  ];
}
