import type { Address } from '../../model/address.ts';
import { requestText } from '../../plan/access-policy/routing-index.ts';
import type { RequestTrace } from '../../plan/access-policy/trace-request.ts';

/** A trace for programs. */
export function traceJson(
  { request, answer, reason, requires, edge, route, modules }: RequestTrace,
  sources: ReadonlyMap<Address, string>,
): Readonly<Record<string, unknown>> {
  const sourceOf = (address: Address): { readonly source?: string } => {
    const source = sources.get(address);
    return source === undefined ? {} : { source };
  };
  return {
    request: requestText(request),
    answer,
    reason,
    requires,
    ...(edge === undefined ? {} : { edge: { ...edge, ...sourceOf(edge.address) } }),
    ...(route === undefined ? {} : { route: { ...route, ...sourceOf(route.address) } }),
    modules: modules.map(({ address, name, effect, text }) => ({ address, module: name, effect, text })),
  };
}
