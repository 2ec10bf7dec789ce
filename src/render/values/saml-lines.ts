import { DOMParser, type Element } from '@xmldom/xmldom';
import { safeText } from '../../diagnostics/safe-text.ts';
import { certificateText } from './certificate-text.ts';

// The XML of an identity provider is a few kilobytes; of more nobody reads a summary.
const longest = 200_000;

// What visitors are sent to, in the words of a reviewer (SAML 2.0 metadata, 2.4.3).
const endpoints: readonly (readonly [element: string, word: string])[] = [
  ['SingleSignOnService', 'sign-in'],
  ['SingleLogoutService', 'sign-out'],
];

/** SAML metadata by entity, endpoints and certificates, a line each; undefined for what is none. */
export function samlLines(xml: string): readonly string[] | undefined {
  const root = xml.length > longest || xml.includes('<!DOCTYPE') ? undefined : rootOf(xml);
  if (root === undefined) return undefined;
  const entities = root.localName === 'EntityDescriptor' ? [root] : named(root, 'EntityDescriptor');
  if (entities.length === 0) return undefined;
  return entities.flatMap((entity) => [
    `entity ${safeText(entity.getAttribute('entityID') ?? '(no entityID)')}`,
    ...endpoints.flatMap(([element, word]) => named(entity, element).map((endpoint) => endpointText(endpoint, word))),
    ...named(entity, 'KeyDescriptor').flatMap(keyLines),
  ]);
}

function rootOf(xml: string): Element | undefined {
  try {
    return new DOMParser({ onError: () => undefined }).parseFromString(xml, 'text/xml').documentElement ?? undefined;
  } catch {
    return undefined;
  }
}

function named(element: Element, name: string): Element[] {
  return [...element.getElementsByTagNameNS('*', name)];
}

function endpointText(endpoint: Element, word: string): string {
  const binding = endpoint.getAttribute('Binding')?.split(':').at(-1) ?? '';
  const how = binding === '' ? '' : ` by ${safeText(binding)}`;
  return `${word} at ${safeText(endpoint.getAttribute('Location') ?? '(no location)')}${how}`;
}

function keyLines(key: Element): string[] {
  const use = key.getAttribute('use') ?? '';
  return named(key, 'X509Certificate').map((element) => {
    const bytes = Buffer.from((element.textContent ?? '').replace(/\s+/g, ''), 'base64');
    const text = certificateText(bytes) ?? '(a certificate that cannot be read)';
    return use === '' ? text : `${safeText(use)} ${text}`;
  });
}
