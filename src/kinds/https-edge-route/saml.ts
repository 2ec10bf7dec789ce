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
    let wrong: string | undefined;
    const parser = new DOMParser({
      onError: (level) => {
        if (level !== 'warning') throw new SyntaxError(level);
      },
    });
    try {
      parser.parseFromString(String(value), 'text/xml');
    } catch {
      wrong = 'must be XML with a single root element';
    }
    return wrong;
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
  'Visitors sign in with a SAML identity provider.',
  {
    ...session,
    idp_metadata: required(
      text('Full XML EntityDescriptor of the identity provider.', {
        compare: 'xml',
        format: 'saml',
        checks: [wellFormedXml],
        widensWhen: 'changes',
      }),
    ),
    force_authn: flag('Require the provider to ask for credentials again.'),
    allow_idp_initiated: flag(
      'Allow sign-in that starts at the provider, with RelayState set to the target URL.',
      true,
    ),
    authorized_groups: setOf(
      text('A group.', { examples: ['staff'] }),
      'If set, only members of these groups are allowed.',
    ),
    nameid_format: byDefault(
      text('Requested name identifier format.', { lints: [knownWord('name identifier format', nameIdFormats)] }),
      'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      '',
    ),
    entity_id: computed(text('Entity id of the service; equals metadata_url.')),
    assertion_consumer_service_url: computed(text('URL where the provider posts assertions.')),
    single_logout_url: computed(text('URL where the provider sends logouts.')),
    request_signing_certificate_pem: computed(text('Certificate of the key that signs requests.', { format: 'pem' })),
    metadata_url: computed(text('URL of the metadata of the service.')),
    idp_metadata_url: computed(text('The API does not document this field; sample responses contain an empty value.')),
  },
  {
    accessControl: 'authentication',
    optionsExemption: 'options_passthrough',
    admitted: (module) => {
      const groups = entriesInWords(module, ['authorized_groups']);
      return groups === '' ? 'anyone at the SAML identity provider' : `SAML groups ${groups}`;
    },
    allowLists: ['authorized_groups'],
    path: { suffix: '/saml', since: 'described' },
  },
);
