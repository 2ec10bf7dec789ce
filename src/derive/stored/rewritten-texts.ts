import { namedFields } from '../../kinds/named-fields.ts';
import type { Comparison, Dict, Field, Fields, Leaf } from '../../kinds/kind.ts';
import { isSpecObject, Secret, type Path, type SpecObject, type SpecValue } from '../../kinds/value.ts';
import { isUnsetValue, normalize } from '../canonical.ts';
import { pointerOf } from '../pointer.ts';

/** A text that a service rewrote: digests of what was sent, and of what the answer to that write showed. */
export interface RewrittenText {
  readonly sent: string;
  readonly shown: string;
}

// Texts with a meaning of their own. What identifies something, or is compared letter by letter, is never taken as rewritten.
const rewritable: ReadonlySet<Comparison> = new Set([
  'text',
  'json',
  'policy',
  'pem',
  'xml',
  'key-blob',
  'header-value',
]);

/** Texts that the answer to our own write shows otherwise than they were sent, by pointer; undefined for each that it shows as sent. */
export function rewrittenTexts(
  fields: Fields,
  sent: SpecObject,
  shown: SpecObject,
  digest: (text: string) => string,
  path: Path = [],
): Record<string, RewrittenText | undefined> {
  const found: Record<string, RewrittenText | undefined> = {};
  for (const { name, field } of namedFields(fields)) {
    const [ours, theirs] = [sent[name] ?? null, shown[name] ?? null];
    if (ours === null || theirs === null) continue;
    const at = [...path, name];
    if (field.is === 'group' && isSpecObject(ours) && isSpecObject(theirs))
      Object.assign(found, rewrittenTexts(field.fields, ours, theirs, digest, at));
    if (field.is === 'dict' && isSpecObject(ours) && isSpecObject(theirs))
      Object.assign(found, rewrittenEntries(field, ours, theirs, digest, at));
    const pair = pairOf(field, ours, theirs);
    if (pair !== undefined) found[pointerOf(at)] = pair.sent === pair.shown ? undefined : digested(pair, digest);
  }
  return found;
}

/** The same for the entries of a mapping, each by its name as names are compared. */
function rewrittenEntries(
  { key, of }: Dict,
  sent: SpecObject,
  shown: SpecObject,
  digest: (text: string) => string,
  path: Path,
): Record<string, RewrittenText | undefined> {
  const spelled = (entries: SpecObject): SpecObject =>
    Object.fromEntries(Object.entries(entries).map(([name, value]) => [String(normalize(key, name)), value]));
  const ours = spelled(sent);
  const entry = { ...of, default: undefined };
  return rewrittenTexts(
    Object.fromEntries(Object.keys(ours).map((name) => [name, entry])),
    ours,
    spelled(shown),
    digest,
    path,
  );
}

/** Whether the service showed just this text when it was sent just that one. */
export function isRewritten(
  leaf: Leaf,
  desired: SpecValue,
  actual: SpecValue,
  known: RewrittenText | undefined,
  digest: (text: string) => string,
): boolean {
  const texts = known === undefined ? undefined : pairOf(leaf, desired, actual);
  const pair = texts === undefined ? undefined : digested(texts, digest);
  return pair !== undefined && pair.sent === known?.sent && pair.shown === known.shown;
}

// A digest takes milliseconds, and services show most texts as they were sent.
function digested({ sent, shown }: RewrittenText, digest: (text: string) => string): RewrittenText {
  return { sent: digest(sent), shown: digest(shown) };
}

/** The texts themselves, as they are compared. */
function pairOf(field: Field, ours: SpecValue, theirs: SpecValue): RewrittenText | undefined {
  if (field.is !== 'leaf' || field.secret === true || !rewritable.has(field.compare)) return undefined;
  const [sent, shown] = [textOf(ours), textOf(theirs)];
  if (sent === undefined || shown === undefined) return undefined;
  if (sent === shown) return { sent, shown };
  if (isUnsetValue(field, sent) || isUnsetValue(field, shown)) return undefined;
  return { sent: String(normalize(field, sent)), shown: String(normalize(field, shown)) };
}

function textOf(value: SpecValue): string | undefined {
  if (value instanceof Secret) return value.reveal();
  return typeof value === 'string' ? value : undefined;
}
