import { isSpecObject, type SpecObject, textOf } from '../../../kinds/value.ts';
import { textsOf } from '../../forms/plain.ts';
import type { SignIn } from '../gateway-request.ts';
import { passes, refuses, type ModuleCheck } from '../module-verdict.ts';

/** The modules with which visitors sign in. */
export const signInModules = ['oauth', 'saml', 'oidc'] as const;

/** `oauth`, `saml`, `oidc`: a visitor has signed in with the identity provider, and the module allows him. */
export function signInCheck(name: (typeof signInModules)[number]): ModuleCheck {
  return (module, { request: { method, signIns } }) => {
    if (method === 'OPTIONS' && module['options_passthrough'] === true)
      return passes('options_passthrough lets OPTIONS requests pass');
    const provider = providerOf(name, module);
    const own = signIns.filter((signIn) => signIn.provider === undefined || signIn.provider === provider);
    if (own.length === 0)
      return { does: 'requires sign-in', because: `the visitor has not signed in with ${provider}` };
    const { maximum_duration, inactivity_timeout } = module;
    const current = own.filter(({ age, idle }) => !isOver(age, maximum_duration) && !isOver(idle, inactivity_timeout));
    if (current.length === 0) return { does: 'requires sign-in', because: 'the session of the visitor has expired' };
    const admitted = current.find((signIn) => isAllowed(signIn, name, module));
    return admitted === undefined
      ? refuses(`${current.map(({ email }) => email).join(', ')} signed in with ${provider}, but is not allowed`)
      : passes(`${admitted.email} signed in with ${provider}`);
  };
}

/** The identity provider of a module, by name or by URL. */
export function providerOf(name: (typeof signInModules)[number], module: SpecObject): string {
  if (name === 'oidc') return `${textOf(module['issuer'])} (client id ${textOf(module['client_id'])})`;
  if (name === 'saml') return /\bentityID\s*=\s*["']([^"']*)/.exec(textOf(module['idp_metadata']))?.[1] ?? 'SAML';
  const provider = oauthProvider(module);
  return provider === undefined ? 'nobody' : provider[0];
}

function oauthProvider({ provider }: SpecObject): readonly [string, SpecObject] | undefined {
  for (const [key, value] of Object.entries(isSpecObject(provider) ? provider : {}))
    if (isSpecObject(value)) return [key, value];
  return undefined;
}

/** A limit of 0 seconds is none. */
function isOver(seconds: number, limit: unknown): boolean {
  return typeof limit === 'number' && limit > 0 && seconds > limit;
}

/** Whether the lists of a module name a visitor, in any of them; lists that name nobody allow everybody. */
function isAllowed({ email, memberOf }: SignIn, name: (typeof signInModules)[number], module: SpecObject): boolean {
  const isOauth = name === 'oauth';
  const lists = isOauth ? (oauthProvider(module)?.[1] ?? {}) : module;
  // Teams and organizations have no case; groups of SAML may.
  const folded = (text: string): string => (isOauth ? text.toLowerCase() : text);
  const [address, groups] = [email.toLowerCase(), memberOf.map(folded)];
  const shown: Readonly<Record<string, readonly string[]>> = {
    email_addresses: [address],
    email_domains: [address.slice(address.lastIndexOf('@') + 1)],
    teams: groups,
    organizations: groups.map((one) => one.replace(/\/.*$/, '')),
    authorized_groups: groups,
  };
  const named = Object.entries(shown).flatMap(([field, own]) =>
    textsOf(lists[field]).map((entry) => own.includes(folded(entry))),
  );
  return named.length === 0 || named.includes(true);
}
