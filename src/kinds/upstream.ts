import type { NestedRule, Problem, Rule } from './kind.ts';
import { isSpecObject, type SpecObject } from './value.ts';

/** Whether TLS is terminated upstream: an edge passes its requests on unread, and its routes cannot act on them. */
export function endsUpstream({ tls_termination: tls }: SpecObject): boolean {
  return isSpecObject(tls) && tls['terminate_at'] === 'upstream';
}

/** No client certificate is asked for where TLS is terminated upstream. */
export const noMutualTlsUpstream: Rule = {
  code: 'UNSUPPORTED_WITH_UPSTREAM_TLS',
  since: 'completed',
  check: (edge) => (endsUpstream(edge) ? refused(edge, ['mutual_tls']) : []),
};

/** The same, where the service reports so. */
export const noMutualTlsReported: NestedRule = {
  ...noMutualTlsUpstream,
  check: (edge, reported) => (endsUpstream(reported) ? refused(edge, ['mutual_tls']) : []),
};

/** Of the modules of a route, only those that need not read a request are allowed where TLS is terminated upstream. */
export function onlyUpstream(allowed: readonly string[], modules: readonly string[]): NestedRule {
  const others = modules.filter((name) => !allowed.includes(name));
  return {
    code: 'UNSUPPORTED_WITH_UPSTREAM_TLS',
    since: 'completed',
    check: (route, edge) => (endsUpstream(edge) ? refused(route, others) : []),
  };
}

function refused(spec: SpecObject, modules: readonly string[]): Problem[] {
  return modules
    .filter((name) => isSpecObject(spec[name]))
    .map((name) => ({
      path: [name],
      message: `\`${name}\` is not supported when \`terminate_at\` is \`upstream\``,
      hint: `the live edge passes TLS through to the backend, so the module has no effect: set \`terminate_at\` of the live edge to \`edge\`, or remove \`${name}\` from the manifest`,
    }));
}
