import { hash } from 'node:crypto';
import * as z from 'zod';
import { StateError } from '../../diagnostics/errors.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import type { StateChange } from '../../model/state-change.ts';
import { stateChangeFields } from '../document.ts';
import { drawId } from './lease-record.ts';
import { objectNames } from './remote-store.ts';
import { isJsonObject, parsedJson } from '../../model/json-object.ts';

/** A place in the journal: the fence of a run, and which of its entries. */
export interface JournalPosition {
  readonly fence: number;
  readonly entry: number;
}

/** What a run has recorded, or the end of its journal. */
export type JournalEntry = { readonly change: StateChange; readonly serial: number } | { readonly sealedBy: number };

const head = { journal: z.literal(1), id: z.string(), fence: z.int().min(1), entry: z.int().min(1) };
const changed = z.strictObject({ ...head, serial: z.int().min(1), ...stateChangeFields });
const sealed = z.strictObject({ ...head, sealed_by: z.int().min(1) });

/** The name of an entry. */
export function entryName({ fence, entry }: JournalPosition): string {
  return `${objectNames.journal}${fence}-${entry}`;
}

/** The fence in the name of an entry. */
export function fenceOf(name: string): number | undefined {
  const [, fence] = /^journal\/(\d{1,12})-\d{1,12}$/.exec(name) ?? [];
  return fence === undefined ? undefined : Number(fence);
}

/** The bytes of an entry that records a change. */
export function changeBytes(at: JournalPosition, serial: number, change: StateChange): Uint8Array {
  return withChecksum({ journal: 1, id: drawId(), ...at, serial, ...change });
}

/** The bytes of a seal: nothing is added to this journal any more. */
export function sealBytes(at: JournalPosition, sealedBy: number): Uint8Array {
  return withChecksum({ journal: 1, id: drawId(), ...at, sealed_by: sealedBy });
}

/** Reads an entry at its place. */
export function entryIn(bytes: Uint8Array, at: JournalPosition): JournalEntry {
  const name = entryName(at);
  const value = parsedJson(Buffer.from(bytes).toString('utf8'));
  if (value === undefined) throw damaged(name, 'the content is not JSON');
  if (!isJsonObject(value)) throw damaged(name, 'the content is not a JSON object');
  const { checksum, ...content } = value;
  if (typeof content['journal'] === 'number' && content['journal'] > 1)
    throw new StateError('STATE_TOO_NEW', `${name} was written by a newer sluice`, {
      hint: 'use the sluice version that wrote the entry, or a later version',
    });
  if (checksum !== checksumOf(content)) throw damaged(name, 'the checksum does not match');
  const read = z.union([changed, sealed]).safeParse(content);
  if (!read.success) throw damaged(name, 'the content has an unknown format');
  if (read.data.fence !== at.fence || read.data.entry !== at.entry)
    throw damaged(name, 'the content belongs to another entry');
  if ('sealed_by' in read.data) return { sealedBy: read.data.sealed_by };
  const { journal: _, id: _id, fence: _fence, entry: _entry, serial, ...change } = read.data;
  return { serial, change };
}

function withChecksum(content: object): Uint8Array {
  return Buffer.from(`${JSON.stringify({ ...content, checksum: checksumOf(content) })}\n`);
}

function checksumOf(content: object): string {
  return hash('sha256', JSON.stringify(content), 'base64url');
}

function damaged(name: string, why: string): StateError {
  return new StateError('JOURNAL_DAMAGED', `the journal entry ${safeText(name, 60)} cannot be read: ${why}`, {
    hint: 'run `sluice state rebuild` to rebuild the state from the ownership markers',
  });
}
