import { pathText } from '../../derive/wire/operations.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import type { Plan, Step } from '../../model/plan/plan.ts';
import type { Palette } from '../text/palette.ts';
import { shownBody } from '../values/shown-body.ts';
import { breakable, wrap } from '../text/wrap.ts';

/** Every request of a plan, numbered in order, with its body (secrets masked) and its dependencies. */
export function requestsText(plan: Plan, palette: Palette, width?: number): string {
  const numbers = new Map(plan.steps.map(({ id }, index) => [id, index + 1]));
  const lines = plan.steps.flatMap((step, index) => requestLines(step, index + 1, numbers, palette));
  return [palette.strong('Requests, in order:'), ...lines].map((line) => wrap(line, width, 8)).join('\n');
}

function requestLines(step: Step, number: number, numbers: ReadonlyMap<string, number>, palette: Palette): string[] {
  const { method, path } = step.request;
  const body = shownBody(step.request, (secret) => (secret === undefined ? '(secret)' : secret.toString()));
  const waits = step.dependsOn.map(({ step: other, reason }) => `${numbers.get(other) ?? '?'} (${safeText(reason)})`);
  return [
    `${String(number).padStart(4)}. ${palette.strong(method)} ${requestPath(path)}`,
    ...(body === undefined ? [] : [`      ${bodyText(body)}`]),
    ...(step.note === undefined ? [] : [palette.quiet(`      ${safeText(step.note)}`)]),
    ...(waits.length === 0 ? [] : [palette.quiet(`      after request ${waits.join(', ')}`)]),
  ];
}

/** A body as the JSON it is sent as, which may be broken between its fields. */
function bodyText(body: object): string {
  const fields = Object.entries(body).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  const [first = '', ...others] = fields.map((field, index) => (index < fields.length - 1 ? `${field},` : `${field}}`));
  return breakable([`{${first}`, ...others].map((part) => safeText(part, 4000)));
}

/** The path of a request; an id not known yet is the address of its resource in braces. */
export function requestPath(path: Step['request']['path']): string {
  const shown = path.map((part) => (typeof part !== 'string' && 'idOf' in part ? `{${part.idOf}}` : part));
  return safeText(pathText(shown));
}
