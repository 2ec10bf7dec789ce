import { X509Certificate } from 'node:crypto';
import { textsOf } from '../../forms/plain.ts';
import type { FrontDoor } from '../front-door.ts';
import type { ShownCertificate } from '../gateway-request.ts';
import { passes, refuses, type ModuleCheck } from '../module-verdict.ts';

/** `mutual_tls`: the client has a certificate that one of the certificate authorities issued. */
export const clientCertificateCheck: ModuleCheck = (
  { certificate_authority_ids },
  { request: { certificate }, door, settings, now },
) => {
  const ids = textsOf(certificate_authority_ids);
  const none = 'mutual TLS lists no certificate authority';
  if (ids.length === 0) return settings.emptyLists === 'open' ? passes(none) : refuses(none);
  if (certificate === undefined) return refuses('the client presented no certificate');
  const issuer = ids.find((id) => isIssuedBy(certificate, id, door, now));
  return issuer === undefined
    ? refuses(
        'no listed certificate authority issued the client certificate, or the certificate chain is not valid now',
      )
    : passes(`${issuer} issued the client certificate`);
};

const clientAuthentication = new Set(['1.3.6.1.5.5.7.3.2', '2.5.29.37.0']);

function isIssuedBy(shown: ShownCertificate, id: string, { authorities }: FrontDoor, now: Date): boolean {
  if ('issuedBy' in shown) return shown.issuedBy === id;
  const authority = certificateIn(authorities.get(id));
  const [leaf, ...others] = shown.chain.flatMap((pem) => certificateIn(pem) ?? []);
  if (authority === undefined || leaf === undefined || !isValid(authority, now)) return false;
  // Node leaves it undefined for a certificate without the extension, despite its types.
  const usage = leaf.keyUsage as readonly string[] | undefined;
  if (usage !== undefined && !usage.some((one) => clientAuthentication.has(one))) return false;
  let at: X509Certificate | undefined = leaf;
  for (let depth = 0; at !== undefined && depth <= others.length; depth++) {
    const issued: X509Certificate = at;
    if (!isValid(issued, now)) return false;
    if (didIssue(authority, issued)) return true;
    at = others.find((other) => other.ca && didIssue(other, issued));
  }
  return false;
}

function didIssue(authority: X509Certificate, issued: X509Certificate): boolean {
  return issued.checkIssued(authority) && issued.verify(authority.publicKey);
}

function isValid({ validFrom, validTo }: X509Certificate, now: Date): boolean {
  return new Date(validFrom) <= now && now <= new Date(validTo);
}

function certificateIn(pem: string | undefined): X509Certificate | undefined {
  try {
    return pem === undefined ? undefined : new X509Certificate(pem);
  } catch {
    return undefined;
  }
}
