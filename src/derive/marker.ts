import { createHash } from 'node:crypto';
import { namedFieldsWhere } from '../kinds/named-fields.ts';
import type { Kind } from '../kinds/kind.ts';
import { isTooDeep } from '../kinds/nesting.ts';
import type { Marker } from '../model/actual.ts';
import { splitAddress, type Address } from '../model/address.ts';
import { parseMarked, printMarked } from './spelling/marked-json.ts';
import { parsedObject } from '../model/json-object.ts';

/** What a marker is always reckoned as against a resource's own limit, in bytes (decisions/0008). */
export const MARKER_BYTES = 160;

/** The key of `metadata` that belongs to sluice. */
export const MARKER_KEY = 'sluice';

/** Hexadecimal digits in a nonce. */
export const NONCE_DIGITS = 12;

/** The field of a kind that carries the marker. */
export function markerField(kind: Kind): string | undefined {
  return markerFields(kind.fields)[0]?.name;
}

const markerFields = namedFieldsWhere((field) => field.is === 'leaf' && field.carriesMarker === true);

/** Who owns what a stack makes: its name and its id, so that two stacks that share a name never share resources (decisions/0008). */
export function ownerOf(stack: { readonly name: string; readonly id: string }): string {
  return `${stack.name}/${stack.id}`;
}

/** The stack id in a marker's owner. */
export function stackIdOf(marker: Marker): string {
  return marker.s.slice(marker.s.lastIndexOf('/') + 1);
}

/** The stack name in a marker's owner. */
export function stackNameOf(marker: Marker): string {
  return marker.s.slice(0, Math.max(0, marker.s.lastIndexOf('/')));
}

/** The marker of a resource; a nonce of `''` is to be drawn. */
export function makeMarker(
  stack: { readonly name: string; readonly id: string },
  address: Address,
  flags: { readonly protect: boolean; readonly retain: boolean },
  nonce = '',
): Marker {
  const owner = ownerOf(stack);
  return { s: owner, a: markedAddress(owner, address), p: markedFlags(flags), n: nonce };
}

/** Protection and retention as they stand in a marker. */
export function markedFlags(flags: { readonly protect: boolean; readonly retain: boolean }): string {
  return `${flags.protect ? 'p' : ''}${flags.retain ? 'r' : ''}`;
}

/** The address as it stands in a marker: itself where it fits, else its kind and a hash. */
export function markedAddress(owner: string, address: Address): string {
  if (LONGEST_FLAGS + jsonBytes(owner + address) <= MARKER_BYTES) return address;
  return `${splitAddress(address).kind}#${createHash('sha256').update(address).digest('hex').slice(0, 16)}`;
}

// What a marker takes beside its owner and its address.
const LONGEST_FLAGS =
  jsonBytes({ [MARKER_KEY]: { s: '', a: '', p: 'pr', n: '0'.repeat(NONCE_DIGITS) } }) - jsonBytes('') - 1;

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Takes metadata apart: the user's text, our marker, and whether a marker could stand in it at all. */
export function splitMetadata(metadata: string): {
  readonly text: string;
  readonly marker?: Marker;
  readonly unmarkable: boolean;
} {
  if (metadata === '') return { text: '', unmarkable: false };
  const object = jsonObject(metadata);
  if (object === undefined) return { text: metadata, unmarkable: true };
  if (!Object.hasOwn(object, MARKER_KEY)) return { text: metadata, unmarkable: false };
  const { [MARKER_KEY]: ours } = object;
  if (!isMarker(ours)) return { text: withoutMarker(metadata), unmarkable: false };
  const marker = { s: ours.s, a: ours.a, p: ours.p, n: ours.n };
  return { text: asJoined(metadata, marker) ?? withoutMarker(metadata), marker, unmarkable: false };
}

/** The user's part of metadata that stands as `joinMetadata` has written it; undefined where it does not. */
function asJoined(metadata: string, marker: Marker): string | undefined {
  const ours = JSON.stringify({ [MARKER_KEY]: marker });
  if (metadata === ours) return '';
  const end = `,${ours.slice(1)}`;
  const user = metadata.slice(0, -end.length);
  // What is escaped, or has our key a second time, is read.
  const isPlain = metadata.endsWith(end) && !user.includes('\\') && !user.includes(`"${MARKER_KEY}"`);
  return isPlain ? `${user}}` : undefined;
}

function withoutMarker(metadata: string): string {
  const { [`s${MARKER_KEY}`]: _, ...rest } = parseMarked(metadata) as Record<string, unknown>;
  return Object.keys(rest).length === 0 ? '' : printMarked(rest);
}

/** Whether a marker fits into metadata: it is empty or a JSON object. */
export function canCarryMarker(text: string): boolean {
  return text === '' || jsonObject(text) !== undefined;
}

/** Puts a marker beside the user's own metadata. Text that is no JSON object carries none and stays as it is. */
export function joinMetadata(text: string, marker: Marker): string {
  if (!canCarryMarker(text)) return text;
  const ours = JSON.stringify({ [MARKER_KEY]: marker });
  return text === '' ? ours : printMarked({ ...(parseMarked(text) as object), ...(parseMarked(ours) as object) });
}

/** The object that a text holds as JSON, if it holds one. */
export function jsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  return !text.trimStart().startsWith('{') || isTooDeep(text) ? undefined : parsedObject(text);
}

function isMarker(value: unknown): value is Marker {
  if (typeof value !== 'object' || value === null) return false;
  const { s, a, p, n } = value as Record<string, unknown>;
  return [s, a, p, n].every((part) => typeof part === 'string' && part.length <= 512);
}
