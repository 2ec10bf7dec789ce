import type { SpecObject, SpecValue } from '../../kinds/value.ts';
import type { Settings } from '../options.ts';

interface Pick {
  readonly kind: string;
  readonly path: string;
  readonly value: (beside: SpecObject, settings: Settings) => SpecValue | undefined;
}

/*
 * What the emulator shows for an unset field where neither the description nor the kind knows a default, or where
 * services differ. All of it is the emulator's own choice (decisions/0006); nothing may rely on it.
 */
const picks: readonly Pick[] = [
  { kind: 'HTTPSEdge', path: 'hostports', value: () => null },
  {
    kind: 'HTTPSEdge',
    path: 'tls_termination.min_version',
    value: ({ terminate_at }) => (terminate_at === 'upstream' ? null : '1.2'),
  },
  { kind: 'HTTPSEdgeRoute', path: 'circuit_breaker.error_threshold_percentage', value: () => 0.5 },
  ...['oidc', 'saml'].map((module): Pick => ({
    kind: 'HTTPSEdgeRoute',
    path: `${module}.cookie_prefix`,
    value: (_, { cookiePrefix }) => (cookiePrefix === 'empty' ? '' : undefined),
  })),
];

const byPlace = new Map(picks.map((pick) => [`${pick.kind} ${pick.path}`, pick.value]));

/** The emulator's own value for an unset field, if it has one. */
export function pickFor(
  kind: string,
  path: readonly string[],
  beside: SpecObject,
  settings: Settings,
): SpecValue | undefined {
  return byPlace.get(`${kind} ${path.join('.')}`)?.(beside, settings);
}
