import { textOf } from '../../kinds/value.ts';
import type { Answer } from '../answer.ts';
import type { GatewayDecision } from './decide-request.ts';
import type { GatewayRequest } from './gateway-request.ts';
import { listIn } from './incoming-request.ts';
import { providerOf, signInModules } from './modules/sign-in-check.ts';
import type { VisitorSessions } from './visitor-sessions.ts';

const prefix = '/_gateway/';

/** What the stand-in identity provider needs: sessions, and what becomes of a request of the same visitor. */
export interface SignInParts {
  readonly sessions: VisitorSessions;
  readonly decide: (request: GatewayRequest) => GatewayDecision;
  readonly isTls: boolean;
}

/** Whether a path is one of the gateway's own. */
export function isGatewayPath(path: string): boolean {
  return path.startsWith(prefix);
}

/** Where a visitor signs in who is to return to a path. */
export function signInUrl(path: string): string {
  return `${prefix}sign-in?to=${encodeURIComponent(path)}`;
}

/** Answers the pages of the stand-in identity provider: a form, its submission, and signing out. */
export function signInAnswer(request: GatewayRequest, parts: SignInParts): Answer {
  const { method, path, host, headers } = request;
  const [page = '', query = ''] = path.slice(prefix.length).split('?');
  if (page === 'sign-out') {
    parts.sessions.end(headers['cookie']);
    return text(200, 'Signed out.\n');
  }
  if (page !== 'sign-in') return text(404, 'The gateway has no such page.\n');
  const form = new URLSearchParams(method === 'POST' ? Buffer.from(request.body).toString('utf8') : query);
  const to = ownPath(form.get('to'));
  // The route of the path decides where to sign in; a request that it admits already returns to it.
  const decision = parts.decide({ ...request, method: 'GET', path: to });
  const asked = askedBy(decision);
  if (asked === undefined && decision.end !== 'unreachable' && request.signIns.length > 0) return redirected(to);
  if (asked === undefined) return text(404, 'No route of this host requires sign-in.\n');
  const email = form.get('email')?.trim() ?? '';
  if (method !== 'POST' || email === '') return formPage(asked.provider, to);
  const memberOf = listIn(form.get('groups') ?? '');
  const value = parts.sessions.begin(host, headers['cookie'], { provider: asked.provider, email, memberOf });
  const attributes = `Path=/; HttpOnly; SameSite=Lax${parts.isTls ? '; Secure' : ''}`;
  return redirected(to, { 'set-cookie': `${asked.cookie}=${value}; ${attributes}` });
}

function redirected(to: string, headers: Answer['headers'] = {}): Answer {
  return { status: 303, headers: { location: to, 'cache-control': 'no-store', ...headers }, body: '' };
}

/** The identity provider that a request has to sign in with, and the cookie of the session. */
function askedBy(decision: GatewayDecision): { readonly provider: string; readonly cookie: string } | undefined {
  const { end, route, steps } = decision;
  if (end !== 'sign-in' && end !== 'refused') return undefined;
  const name = signInModules.find((one) => one === steps.at(-1)?.module);
  const module = name === undefined ? undefined : route?.modules[name];
  if (name === undefined || module === undefined) return undefined;
  // A prefix that is no token would break the cookie.
  const own = textOf(module['cookie_prefix']).replace(/[^\w.!#$%&'*+^`|~-]/g, '');
  return { provider: providerOf(name, module), cookie: `${own === '' ? 'svc.' : own}session` };
}

/** A path of the same host, and nothing that a browser takes for another. */
function ownPath(to: string | null): string {
  return to !== null && /^\/(?![/\\])[\x21-\x7e]*$/.test(to) ? to : '/';
}

function text(status: number, body: string): Answer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }, body };
}

function formPage(provider: string, to: string): Answer {
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sign in</title>
<style>body{font:16px system-ui;max-width:26rem;margin:4rem auto;padding:0 1rem}label,input,button{display:block;width:100%;box-sizing:border-box;margin:.5rem 0;font:inherit}input,button{padding:.5rem}</style>
<h1>Sign in with ${escaped(provider)}</h1>
<p>A stand-in for the identity provider: everybody is who they say they are.</p>
<form method="post" action="${prefix}sign-in">
<input type="hidden" name="to" value="${escaped(to)}">
<label>E-mail address <input name="email" type="email" required autofocus></label>
<label>Groups, teams (org/team) and organizations, separated by commas <input name="groups"></label>
<button>Sign in</button>
</form>
</html>
`;
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    },
    body,
  };
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
