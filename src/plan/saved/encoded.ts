import { hash } from 'node:crypto';
import { sortedJson } from '../../derive/sorted-json.ts';
import {
  isSpecObject,
  OutsideValue,
  Ref,
  Secret,
  type OutputSource,
  type Path,
  type SecretOrigin,
} from '../../kinds/value.ts';
import { present } from '../../model/present.ts';

/** JSON in which Refs and secrets are marked: a secret is its digest and where it came from, never its text. */
export type Encoded = null | boolean | number | string | readonly Encoded[] | { readonly [key: string]: Encoded };

const marks = ['$ref', '$secret', '$plain'] as const;

/** The digest of a secret; its origin distinguishes secrets of which nothing may be revealed. */
export type SecretDigest = (text: string, origin: SecretOrigin | undefined) => string;

/**
 * A value, and everything in it, as JSON without secrets. What cannot be JSON (functions, undefined) is left out.
 * `ofText` replaces texts that are no secrets.
 */
export function encodeValue(
  value: unknown,
  digest: SecretDigest,
  ofText: (text: string) => Encoded = (text) => text,
): Encoded {
  if (typeof value === 'string') return ofText(value);
  if (value instanceof Ref)
    return {
      $ref: value.to,
      ...(value.field === undefined ? {} : { field: value.field }),
      ...(value.output === undefined ? {} : { output: { ...value.output } }),
    };
  if (value instanceof Secret) {
    const origin = value.origin && { ...value.origin };
    const outside = value instanceof OutsideValue ? true : undefined;
    return { $secret: { digest: digest(value.reveal(), value.origin), ...present({ origin, outside }) } };
  }
  if (Array.isArray(value)) return value.map((item) => encodeValue(item, digest, ofText));
  if (typeof value !== 'object' || value === null)
    return typeof value === 'function' || value === undefined ? null : (value as Encoded);
  const entries: [string, Encoded][] = [];
  for (const [key, item] of Object.entries(value))
    if (item !== undefined && typeof item !== 'function') entries.push([key, encodeValue(item, digest, ofText)]);
  const object = Object.fromEntries(entries);
  return marks.some((mark) => Object.hasOwn(object, mark)) ? { $plain: object } : object;
}

/** A secret that a saved plan names: its digest, and where to have it from again. */
export interface SavedSecret {
  readonly digest: string;
  readonly origin?: SecretOrigin;
  /** It is the value of a plain field, and no secret by its kind. */
  readonly outside?: true;
}

/** What stands for a secret that is not there: its digest, by which it can be compared. */
export function shownSecret({ digest, origin, outside }: SavedSecret): Secret {
  return outside === true ? new OutsideValue(digest, origin) : new Secret(digest, origin);
}

/** The value that was encoded. What stands for a secret is up to the caller, who gets its path. */
export function decodeValue(
  encoded: unknown,
  secretOf: (saved: SavedSecret, path: Path) => Secret,
  path: Path = [],
): unknown {
  if (Array.isArray(encoded)) return encoded.map((item, index) => decodeValue(item, secretOf, [...path, index]));
  if (!isSpecObject(encoded)) return encoded;
  const { $ref, $secret, $plain, field, output } = encoded;
  if (typeof $ref === 'string')
    return new Ref($ref, typeof field === 'string' ? field : undefined, isOutputSource(output) ? output : undefined);
  if (isSavedSecret($secret)) return secretOf($secret, path);
  const object = isSpecObject($plain) ? $plain : encoded;
  return Object.fromEntries(
    Object.entries(object).map(([key, item]) => [key, decodeValue(item, secretOf, [...path, key])]),
  );
}

function isOutputSource(value: unknown): value is OutputSource {
  return (
    isSpecObject(value) && [value['stack'], value['owner'], value['address']].every((one) => typeof one === 'string')
  );
}

function isSavedSecret(value: unknown): value is SavedSecret {
  return typeof value === 'object' && value !== null && 'digest' in value && typeof value.digest === 'string';
}

/** A checksum of the content of a file, whatever the order of its keys. It finds damage; anybody can compute it. */
export function checksumOf(content: unknown): string {
  return hash('sha256', sortedJson(content));
}
