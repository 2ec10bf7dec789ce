import type { Address } from '../../model/address.ts';
import { present } from '../../model/present.ts';
import { requestText } from '../../plan/access-policy/routing-index.ts';
import type { RequestTrace } from '../../plan/access-policy/trace-request.ts';

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
