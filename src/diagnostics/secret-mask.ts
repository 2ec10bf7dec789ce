/** Secrets that must not be repeated, whoever repeats them. */
export interface Mask {
  /** A text without them. */
  readonly hide: (text: string) => string;
  /** Whether a text is one of them, or holds one as a whole. */
  readonly finds: (text: string) => boolean;
}

// A shorter text also occurs inside other words, and what is cut out there would reveal it.
const longEnough = 8;

/**
 * Hides the given texts in messages of a server, also in their JSON form, and the texts that they hold where they
 * are JSON themselves. A message of a service has no fields that could be masked, so the texts are searched
 * for: a short one only where it stands alone.
 */
export function maskOf(secrets: readonly string[]): Mask {
  return {
    hide: (text) => {
      const pattern = patternIn(text, [...secrets, ...secrets.flatMap(textsIn)]);
      return pattern === undefined ? text : text.replace(pattern, '(secret)');
    },
    finds: (text) => {
      const pattern = patternIn(text, secrets);
      return pattern !== undefined && text.search(pattern) >= 0;
    },
  };
}

/** A pattern of what occurs in a text at all, which is hardly ever anything: to compile one costs more than to search. */
function patternIn(text: string, secrets: readonly string[]): RegExp | undefined {
  const there = [...new Set(secrets.flatMap(spellings))].filter((form) => text.includes(form));
  const longestFirst = there.sort((a, b) => b.length - a.length);
  return there.length === 0 ? undefined : new RegExp(longestFirst.map(patternOf).join('|'), 'gu');
}

function patternOf(text: string): string {
  const exact = text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16)}`);
  return text.length >= longEnough ? exact : `(?<![\\p{L}\\p{N}_])${exact}(?![\\p{L}\\p{N}_])`;
}

// A service quotes a request as it came, where metadata is JSON inside JSON, or quotes that once more.
const mostQuoted = 3;

function spellings(text: string): string[] {
  if (text === '') return [];
  const forms = [text];
  for (let depth = 0; depth < mostQuoted; depth++) {
    const before = forms.at(-1);
    const quoted = JSON.stringify(before).slice(1, -1);
    // Nothing in it changes by being quoted, once or more often.
    if (quoted === before) return forms;
    forms.push(quoted);
  }
  return forms;
}

/** The texts in a secret that is JSON: a request holds it with other keys beside its own, so never as a whole. */
function textsIn(secret: string): string[] {
  if (!/^\s*[[{]/.test(secret)) return [];
  try {
    return textsOf(JSON.parse(secret));
  } catch {
    return [];
  }
}

function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsOf(item)]);
}
