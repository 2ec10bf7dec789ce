import type { SpecObject, SpecValue } from '../../kinds/value.ts';
import type { Settings } from '../options.ts';

type Pick = (beside: SpecObject, settings: Settings) => SpecValue | undefined;

const cookiePrefix: Pick = (_, settings) => (settings.cookiePrefix === 'empty' ? '' : undefined);

/**
 * What the emulator shows for an unset field, by its kind and path, where neither the description nor the kind knows a
 * default, or where services differ. All of it is the emulator's own choice (decisions/0006); nothing may rely on it.
 */
export const picks: Readonly<Record<string, Pick>> = {
  'HTTPSEdge hostports': () => null,
  'HTTPSEdge tls_termination.min_version': ({ terminate_at }) => (terminate_at === 'upstream' ? null : '1.2'),
  'HTTPSEdgeRoute circuit_breaker.error_threshold_percentage': () => 0.5,
  'HTTPSEdgeRoute oidc.cookie_prefix': cookiePrefix,
  'HTTPSEdgeRoute saml.cookie_prefix': cookiePrefix,
};
