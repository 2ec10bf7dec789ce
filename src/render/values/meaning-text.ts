import { safeText } from '../../diagnostics/safe-text.ts';
import type { FieldFormat } from '../../kinds/kind.ts';
import { certificateText } from './certificate-text.ts';
import { sshText } from './ssh-text.ts';
import { structureLines } from '../text/structure-lines.ts';
import { DOMParser, type Element } from '@xmldom/xmldom';

/** The meaning of a text in a known format, such as PEM, a line for each item in it; undefined if it cannot be parsed. */
export function meaningLines(text: string, format: FieldFormat): readonly string[] | undefined {
  if (format === 'pem') return pemLines(text);
  if (format === 'saml') return samlLines(text);
  if (format === 'policy') return structureLines(text);
  const key = format === 'ssh-public-key' ? sshText(text) : undefined;
  return key === undefined ? undefined : [key];
}

/** The same on one line. */
export function meaningText(text: string, format: FieldFormat): string | undefined {
  return format === 'policy' ? undefined : meaningLines(text, format)?.join('; ');
}

/** A line for each block of a PEM text; a private key is mentioned, never shown. */
function pemLines(text: string): readonly string[] | undefined {
  const blocks = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]{1,60})-----[^-]*-----END \1-----/g)];
  const lines = blocks.map(([block, label = '']) => {
    if (label.includes('PRIVATE KEY')) return '(a private key)';
    return certificateText(block) ?? safeText(label.toLowerCase());
  });
  if (lines.length > 0 && text.includes('CERTIFICATE')) return lines;
  return text.includes('PRIVATE KEY') ? ['(a private key)'] : undefined;
}

// The XML of an identity provider is a few kilobytes; of more nobody reads a summary.
const longest = 200_000;

// What visitors are sent to, in the words of a reviewer (SAML 2.0 metadata, 2.4.3).
const endpoints: readonly (readonly [element: string, word: string])[] = [
  ['SingleSignOnService', 'sign-in'],
  ['SingleLogoutService', 'sign-out'],
];

/** SAML metadata by entity, endpoints and certificates, a line each; undefined for what is none. */
function samlLines(xml: string): readonly string[] | undefined {
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
