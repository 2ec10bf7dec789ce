import type { Address } from '../../model/address.ts';
import { present } from '../../model/present.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { requestText } from '../../plan/access-policy/routing-index.ts';
import type { RequestTrace, TracedModule } from '../../plan/access-policy/trace-request.ts';
import type { Palette } from '../text/palette.ts';

/** A trace for people: the way of the request, a line each, and its end. */
export function traceText(
  { request, answer, reason, edge, route, modules }: RequestTrace,
  sources: ReadonlyMap<Address, string>,
  palette: Palette,
): string {
  const named = (address: Address): string => {
    const source = sources.get(address);
    return source === undefined ? address : `${address}  ${source}`;
  };
  const rows: (readonly [string, string])[] = [
    ...(edge === undefined ? [] : [[edge.hostport, named(edge.address)] as const]),
    ...modules.filter(({ address }) => address === edge?.address).map(moduleRow),
    ...(route === undefined ? [] : [[route.match, named(route.address)] as const]),
    ...modules.filter(({ address }) => address !== edge?.address).map(moduleRow),
  ];
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return [
    palette.strong(safeText(requestText(request), 2000)),
    ...rows.map(([left, right]) => `  ${safeText(left, 400).padEnd(width)}  ${safeText(right, 400)}`.trimEnd()),
    answer === 'depends' ? safeText(reason, 400) : `${answer}: ${safeText(reason, 400)}`,
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function moduleRow({ name, effect, text }: TracedModule): readonly [string, string] {
  return [`  ${name}`, effect === 'inactive' ? `${effect}: ${text}` : `${effect} ${text}`];
}

/** A trace for programs. */
export function traceJson(
  { request, answer, reason, requires, edge, route, modules }: RequestTrace,
  sources: ReadonlyMap<Address, string>,
): Readonly<Record<string, unknown>> {
  const sourced = (one: { readonly address: Address }): object => present({ ...one, source: sources.get(one.address) });
  return present({
    request: requestText(request),
    answer,
    reason,
    requires,
    edge: edge && sourced(edge),
    route: route && sourced(route),
    modules: modules.map(({ address, name, effect, text }) => ({ address, module: name, effect, text })),
  });
}
