import type { Check } from '../kind.ts';
import { looksLike } from '../checks.ts';

/*
 * Names of the web in the form of regular expressions that JSON Schema has as well: written out in both cases, because
 * a schema knows no flags.
 */

const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const topLabel = '[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

/** A domain name of at least two labels; an IP address is none. */
export const domainName: Check = looksLike(
  new RegExp(`^(?:${label}\\.)+${topLabel}$`),
  'a domain name, such as connect.example.com',
  {
    most: 253,
    hint: (text) =>
      withoutScheme(
        text,
        (rest) => /^[^/?#:]*/.exec(rest)?.[0],
        (name) => domainName.test(name),
      ),
  },
);

/** What to write for a text that a scheme was put before, if the rest is right. */
export function withoutScheme(
  text: string,
  part: (rest: string) => string | undefined,
  test: (text: string) => string | undefined,
): string | undefined {
  const rest = /^(?:https?|tcp|tls):\/\/(.*)$/i.exec(text)?.[1];
  const meant = part(rest ?? text);
  return meant === undefined || meant === text || test(meant) !== undefined ? undefined : `write \`${meant}\``;
}

// Hosts of URLs are also written with underscores, and in any script.
const word = '[A-Za-z0-9_\\u00a1-\\uffff]';
const urlLabel = `${word}(?:(?:${word}|-){0,61}${word})?`;
const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const urlHost = `(?:${urlLabel}\\.)*[A-Za-z_\\u00a1-\\uffff](?:(?:${word}|-){0,61}${word})?\\.?`;
const address = `${octet}(?:\\.${octet}){3}|\\[[0-9A-Fa-f:.]{2,45}\\]`;
const user = "(?:[A-Za-z0-9._~!$&'()*+,;=:%-]{0,1000}@)?";

/** A port from 1 to 65535 as a regular expression. */
export const portPattern = '(?:6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3})';

const webUrlPattern = new RegExp(
  `^[Hh][Tt][Tt][Pp][Ss]?://${user}(${address}|${urlHost})(?::${portPattern})?(?:[/?#][!-~\\u00a1-\\uffff]*)?$`,
);

/** The URL of a page or a server: http or https, with a host. */
export const webUrl: Check = looksLike(webUrlPattern, 'an http or https URL, such as https://login.example.com/start');

/** The host of such a URL, in lower case; undefined where the text is none. */
export function hostOfUrl(text: string): string | undefined {
  return webUrlPattern.exec(text)?.[1]?.toLowerCase();
}
