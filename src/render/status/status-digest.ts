import { html, type Html } from '../text/html.ts';

// `sha256:` and eight digits.
const shownCharacters = 15;

/** A short digest, enough for people to distinguish digests, with the full one as its title. */
export function shortDigest(digest: string): Html {
  return digest.length <= shownCharacters + 1
    ? html`<code>${digest}</code>`
    : html`<code title="${digest}">${digest.slice(0, shownCharacters)}…</code>`;
}

/** A whole digest, which a narrow page breaks into lines of equal length; what is copied has no breaks. */
export function wholeDigest(digest: string): Html {
  const [, algorithm = '', digits = ''] = /^(\w+:)?(.*)$/s.exec(digest) ?? [];
  const groups = digits.match(/.{1,16}/gsu) ?? [];
  return html`${algorithm}${groups.map((group) => html`<wbr />${group}`)}`;
}
