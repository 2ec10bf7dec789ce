import { isSpecObject } from '../../kinds/value.ts';
import { ed25519Key, selfSigned } from '../certificates/certificates-x509.ts';
import type { Behaviour, EmulatorWorld } from '../world.ts';

/**
 * A route that visitors sign in to by SAML is a service provider with addresses and a signing certificate of its own.
 * Some services never clear a text of a route.
 */
export const httpsEdgeRouteBehaviour: Behaviour = {
  interpret: (body, { settings }) =>
    settings.emptyRouteFields === 'cleared'
      ? body
      : Object.fromEntries(Object.entries(body).filter(([, to]) => to !== '')),
  show: (read, { id }, world) => {
    const { saml } = read;
    if (!isSpecObject(saml)) return read;
    const base = `https://saml.emulator.invalid/${id}`;
    return {
      ...read,
      saml: {
        ...saml,
        entity_id: `${base}/metadata`,
        assertion_consumer_service_url: `${base}/acs`,
        single_logout_url: `${base}/slo`,
        request_signing_certificate_pem: signingCertificate(world),
        metadata_url: `${base}/metadata`,
        idp_metadata_url: '',
      },
    };
  },
};

/** One certificate signs for the whole account; it is made when first shown. */
function signingCertificate({ account, chance, settings }: EmulatorWorld): string {
  const name = 'saml signing certificate';
  let pem = account.notes.get(name);
  if (pem === undefined) {
    pem = selfSigned(ed25519Key(chance.bytes(name)), 'saml.emulator.invalid', settings.clock());
    account.notes.set(name, pem);
  }
  return pem;
}
