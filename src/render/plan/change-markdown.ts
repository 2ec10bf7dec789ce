import { safeText } from '../../diagnostics/safe-text.ts';
import type { Field, Fields } from '../../kinds/kind.ts';
import { isReplacement } from '../../model/replacement.ts';
import type { Change, FieldChange } from '../../model/plan.ts';
import { actionWords } from './action-words.ts';
import { instanceLines } from './instance-lines.ts';
import { fieldDifference } from '../values/field-difference.ts';
import { fieldValueText } from '../values/field-value.ts';
import { htmlCode, markdownCode, markdownFence, markdownText } from '../text/markdown-text.ts';
import type { Platform } from '../text/platform.ts';
import { pathName, specText } from '../values/spec-text.ts';

// Names of fields listed in a row; the details have all of them.
const mostNames = 6;

/** A change in a few words, for a row of a table. */
export function changeRemark(change: Change, fields: Fields): string {
  const { action, shows, why, blocked, movedFrom } = change;
  const known = Object.entries(shows).map(([name, value]) => shownText(name, value, fields[name]));
  const parts = [
    ...(blocked === undefined ? [] : [`**BLOCKED ${blocked.code}**: ${markdownText(blocked.message)}`]),
    ...(movedFrom === undefined ? [] : [`was ${markdownText(movedFrom)}`]),
    ...why.map((text) => markdownText(text)),
    ...instanceLines(change).map((text) => markdownText(text)),
    ...(action === 'create' ? known : fieldNames(change.fields)),
  ];
  return parts.join('; ');
}

/** All details of a change, folded where the platform supports it. */
export function changeDetails(change: Change, fields: Fields, beside: readonly string[], { html }: Platform): string {
  const { symbol, toDo } = actionWords[change.action];
  const fence = markdownFence('diff', [
    ...contentLines(change, fields),
    ...unmanagedLines(change),
    ...beside.map((line) => `  ${line}`),
  ]);
  if (!html) return `#### ${markdownCode(symbol)} ${toDo} ${markdownCode(change.address)}\n\n${fence}\n\n`;
  const summary = `<summary>${htmlCode(symbol)} ${toDo} ${htmlCode(change.address)}</summary>`;
  return `<details>${summary}\n\n${fence}\n\n</details>\n\n`;
}

function shownText(name: string, value: FieldChange['before'], field: Field | undefined): string {
  return `${markdownCode(name)} ${markdownCode(fieldValueText(value, field))}`;
}

function fieldNames(changes: readonly FieldChange[]): string[] {
  const reasons = [
    ['manifest changed:', changes.filter(({ reason }) => reason === 'changed')],
    ['drift:', changes.filter(({ reason }) => reason === 'drifted')],
    ['manifest changed and drift:', changes.filter(({ reason }) => reason === 'both')],
    ['no state (manifest change or drift):', changes.filter(({ reason }) => reason === 'unknown')],
  ] as const;
  return reasons.flatMap(([words, found]) => (found.length === 0 ? [] : [`${words} ${namesOf(found)}`]));
}

function namesOf(changes: readonly FieldChange[]): string {
  const shown = changes.slice(0, mostNames).map(({ path }) => markdownCode(pathName(path)));
  const more = changes.length - shown.length;
  return `${shown.join(', ')}${more === 0 ? '' : ` and ${String(more)} more`}`;
}

function contentLines(change: Change, fields: Fields): string[] {
  const { action, desired, actual } = change;
  if (action === 'create') return specText(desired ?? {}, fields).map((line) => `+ ${line}`);
  if (action === 'delete' || action === 'forget') {
    const sign = action === 'delete' ? '-' : ' ';
    return specText(actual ?? {}, fields).map((line) => `${sign} ${line}`);
  }
  return change.fields.flatMap((field) => differenceLines(field, fields, isReplacement(change.action)));
}

function differenceLines(change: FieldChange, fields: Fields, replaces: boolean): string[] {
  const { name, why, said, values, lines } = fieldDifference(change, fields, replaces);
  return [
    `@@ ${name}${said === undefined ? '' : `: ${said}`} (${why}) @@`,
    ...(values === undefined ? [] : [`- ${values[0]}`, `+ ${values[1]}`]),
    ...lines.map(({ sign, text }) => (sign === '@' ? `  (${text})` : `${sign} ${text}`)),
  ];
}

function unmanagedLines({ unmanagedFields }: Change): string[] {
  return Object.entries(unmanagedFields).map(([pointer, by]) => `  unmanaged: ${safeText(pointer)} (${safeText(by)})`);
}
