/*
 * What a rule reports of one request, decided by the gateway of the emulator: it shares neither routing nor the reading of
 * modules with the model that proves rules.
 */
import { decideRequest } from '../../../src/emulator/gateway/decide-request.ts';
import { frontDoorOf } from '../../../src/emulator/gateway/front-door.ts';
import { gatewaySettings } from '../../../src/emulator/gateway/gateway-options.ts';
import { signatureOf } from '../../../src/emulator/gateway/modules/signature-check.ts';
import type { Stored } from '../../../src/emulator/family.ts';
import type { AccessRule, Requirement } from '../../../src/model/exposure/access-rules.ts';
import { idOf } from '../support.ts';

const signature = signatureOf('', 'github');

/** A request that is tried. */
export interface Asked {
  readonly method: string;
  readonly hostport: string;
  readonly host: string;
  readonly path: string;
}

/** Everything that satisfies all but some requirements: who sends this and is let in breaks a rule that has them. */
function sender(missing: Requirement): object {
  const anyone = { provider: undefined, email: 'eve@elsewhere.org', memberOf: [], age: 0, idle: 0 };
  return {
    headers: missing === 'signature' ? {} : { 'gateway-signature': signature },
    address: missing === 'network' ? '198.51.100.9' : '192.0.2.1',
    ...(missing === 'client_certificate' ? {} : { certificate: { issuedBy: idOf('CertificateAuthority/ca') } }),
    signIns:
      missing === 'authentication'
        ? []
        : [missing === 'named_users' ? anyone : { ...anyone, email: 'ana@example.com' }],
  };
}

/** A resource of an account: nothing else of it matters to the gateway. */
export type Placed = Pick<Stored, 'kind' | 'id' | 'parent' | 'spec'>;

const settings = gatewaySettings({ permitted: { ipp_office: ['192.0.2.0/24'] } });

/** Whether the gateway lets somebody through who does not satisfy a requirement of a rule. */
export function gatewayBreaks(account: readonly Placed[]): (asked: Asked, rule: AccessRule) => boolean {
  const door = frontDoorOf(account.map((one, seq) => ({ ...one, seq })) as unknown as Stored[]);
  return (asked, { require }) =>
    require.some((missing) => {
      const request = { ...asked, body: Buffer.alloc(0), tlsVersion: '1.3', ...sender(missing) };
      const { end } = decideRequest(request as never, { door, settings, now: new Date(0), isTripped: () => false });
      return end === 'backend' || end === 'policy';
    });
}

/** Whether a rule is about a request. */
export function applies({ urls, exceptMethods }: AccessRule, { host, path, method }: Asked): boolean {
  if (exceptMethods.includes(method)) return false;
  return urls.some((url) => {
    const slash = url.indexOf('/');
    const [name, rest] = slash === -1 ? [url, '/*'] : [url.slice(0, slash), url.slice(slash)];
    const hasHost = name === '*' || name === host || (name.startsWith('*.') && host.endsWith(name.slice(1)));
    return hasHost && (rest.endsWith('*') ? path.startsWith(rest.slice(0, -1)) : path === rest);
  });
}
