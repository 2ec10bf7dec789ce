import { randomBytes } from 'node:crypto';
import type { SignIn } from './gateway-request.ts';

interface KeptSignIn extends Pick<SignIn, 'email' | 'memberOf'> {
  readonly provider: string;
  readonly since: number;
  /** Of the last request, in milliseconds. */
  seen: number;
}

interface VisitorSession {
  readonly host: string;
  readonly signIns: readonly KeptSignIn[];
}

const mostSessions = 10_000;

/** The sessions of visitors, by the values of their cookies. A session is of one host, as cookies are. */
export class VisitorSessions {
  readonly #clock: () => Date;
  readonly #sessions = new Map<string, VisitorSession>();

  constructor(clock: () => Date) {
    this.#clock = clock;
  }

  /** Who has signed in at a host, by the Cookie header of a request. */
  signIns(host: string, cookies: string | undefined): SignIn[] {
    const now = this.#clock().getTime();
    return this.#kept(host, cookies).map(({ since, seen, ...signIn }) => ({
      ...signIn,
      age: (now - since) / 1000,
      idle: (now - seen) / 1000,
    }));
  }

  /** Remembers that a request of the session was let through. */
  touch(host: string, cookies: string | undefined): void {
    const now = this.#clock().getTime();
    for (const signIn of this.#kept(host, cookies)) signIn.seen = now;
  }

  /** Adds a sign-in to those of the Cookie header; returns the value of the new cookie. */
  begin(host: string, cookies: string | undefined, signIn: Omit<KeptSignIn, 'since' | 'seen'>): string {
    const now = this.#clock().getTime();
    const others = this.#kept(host, cookies).filter(({ provider }) => provider !== signIn.provider);
    this.end(cookies);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size >= mostSessions && oldest !== undefined) this.#sessions.delete(oldest);
    const value = randomBytes(24).toString('base64url');
    this.#sessions.set(value, { host, signIns: [...others, { ...signIn, since: now, seen: now }] });
    return value;
  }

  /** Ends the sessions of a Cookie header. */
  end(cookies: string | undefined): void {
    for (const value of valuesIn(cookies)) this.#sessions.delete(value);
  }

  #kept(host: string, cookies: string | undefined): readonly KeptSignIn[] {
    return valuesIn(cookies).flatMap((value) => {
      const session = this.#sessions.get(value);
      return session?.host === host ? session.signIns : [];
    });
  }
}

/** Modules choose the prefix of their cookie, so every cookie is tried. */
function valuesIn(cookies = ''): readonly string[] {
  return cookies.split(';').map((cookie) => cookie.slice(cookie.indexOf('=') + 1).trim());
}
