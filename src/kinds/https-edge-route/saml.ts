import { DOMParser } from '@xmldom/xmldom';
import { entriesInWords } from '../admitted.ts';
import { byDefault, computed, flag, module, required, setOf, text } from '../fields.ts';
import type { Check } from '../kind.ts';
import { knownWord } from '../lints.ts';
import { session } from './session.ts';

/** Well-formed XML. Warnings of the parser are ignored. */
const wellFormedXml: Check = {
  code: 'INVALID_XML',
  since: 'completed',
  test: (value) => {
    const parser = new DOMParser({
      onError: (level) => {
        if (level !== 'warning') throw new SyntaxError(level);
      },
    });
    try {
      parser.parseFromString(String(value), 'text/xml');
      return undefined;
    } catch {
      return 'must be XML with a single root element';
    }
  },
};

const nameIdFormats = [
  ...['persistent', 'transient', 'entity', 'encrypted', 'kerberos'].map((name) => `2.0:nameid-format:${name}`),
  ...['unspecified', 'emailAddress', 'X509SubjectName', 'WindowsDomainQualifiedName'].map(
    (name) => `1.1:nameid-format:${name}`,
  ),
].map((name) => `urn:oasis:names:tc:SAML:${name}`);

/** Visitors sign in with a SAML identity provider. */
export const saml = module(
  'Requires visitors to sign in with a SAML identity provider.',
  {
    ...session,
    idp_metadata: required(
      text('Metadata of the identity provider: its whole XML document (EntityDescriptor).', {
        compare: 'xml',
        format: 'saml',
        checks: [wellFormedXml],
        widensWhen: 'changes',
      }),
    ),
    force_authn: flag(
      'True: the identity provider asks for credentials even if the visitor is already signed in there.',
    ),
    allow_idp_initiated: flag(
      'True: visitors may start the sign-in at the identity provider, which sends the target URL as RelayState.',
      true,
    ),
    authorized_groups: setOf(
      text('A group.', { examples: ['staff'] }),
      'Groups whose members may sign in; empty: all users of the identity provider.',
    ),
    nameid_format: byDefault(
      text('Format of the name identifier to request from the identity provider.', {
        lints: [knownWord('name identifier format', nameIdFormats)],
      }),
      'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      '',
    ),
    entity_id: computed(
      text('Entity id of the service, for the configuration of the identity provider; equals `metadata_url`.'),
    ),
    assertion_consumer_service_url: computed(
      text('URL of the service to which the identity provider posts assertions.'),
    ),
    single_logout_url: computed(text('URL of the service to which the identity provider sends logouts.')),
    request_signing_certificate_pem: computed(
      text('Certificate of the key with which the service signs its requests to the identity provider.', {
        format: 'pem',
      }),
    ),
    metadata_url: computed(text('URL of the SAML metadata of the service.')),
    idp_metadata_url: computed(
      text('The API description does not explain this field; its example responses show an empty value.'),
    ),
  },
  {
    accessControl: 'authentication',
    optionsExemption: 'options_passthrough',
    admitted: (module) => {
      const groups = entriesInWords(module, ['authorized_groups']);
      return groups === ''
        ? 'anyone with an account at the SAML identity provider'
        : `members of the SAML groups ${groups}`;
    },
    allowLists: ['authorized_groups'],
    path: { suffix: '/saml', since: 'described' },
  },
);
