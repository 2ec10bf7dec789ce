import { hash } from 'node:crypto';
import * as z from 'zod';
import { Refused, StateError } from '../diagnostics/errors.ts';
import { safeText } from '../diagnostics/safe-text.ts';
import { parsedObject } from '../model/json-object.ts';
import type { StateChange } from '../model/state-change.ts';
import type { State } from '../model/state.ts';
import { stateChangeFields, withoutEmpty } from './document.ts';

/** The state file that a journal continues: a journal beside any other file does not apply to it. */
export interface Continued extends Pick<State, 'lineage' | 'serial'> {
  /** Of the text of the file. */
  readonly digest: string;
}

/** What a journal adds to the state it continues. */
export interface Replay {
  readonly changes: readonly StateChange[];
  readonly serial: number;
}

const head = z.strictObject({
  journal: z.literal(1),
  lineage: z.string(),
  serial: z.int().min(1),
  digest: z.string(),
});

const line = z.strictObject({ serial: z.int().min(1), ...stateChangeFields });

/** The first line of a journal. */
export function journalHead({ lineage, serial, digest }: Continued): string {
  return sealed({ journal: 1, lineage, serial, digest });
}

/** One line of a journal: what changed with this serial. */
export function journalLine(serial: number, { entries, intents, ...more }: StateChange): string {
  const { forgotten, lastAccess, externalValues, applied } = more;
  return sealed({ serial, entries, intents, ...withoutEmpty({ forgotten, lastAccess, externalValues, applied }) });
}

/**
 * Reads a journal beside the state it should continue; undefined when that state holds all of it already. A last line
 * that was cut was never durable, so it is as if it had not been written. Any other damage is an error.
 */
export function readJournal(text: string, state: Continued): Replay | undefined {
  const lines = text.split('\n');
  lines.pop();
  // After a loss of power the end of a file may be there in length but not in content.
  if (lines.at(-1)?.includes('\0') === true) lines.pop();
  const [first, ...rest] = lines;
  if (first === undefined) return { changes: [], serial: state.serial };
  if (!fits(unsealed(head, first, 1), state)) return undefined;
  const read = rest.map((item, index) => {
    const { serial, ...change } = unsealed(line, item, index + 2);
    if (serial !== state.serial + index + 1) throw damaged(`line ${index + 2} is out of order`);
    return change;
  });
  return { changes: read, serial: state.serial + read.length };
}

/** The digest by which a journal names the state file it continues. */
export function stateFileDigest(text: string): string {
  return hash('sha256', text);
}

function fits(continued: z.infer<typeof head>, { lineage, serial, digest }: Continued): boolean {
  if (continued.lineage !== lineage)
    throw new Refused(
      'STATE_STACK_MISMATCH',
      `the journal belongs to stack ${safeText(continued.lineage, 80)}, not to ${lineage}`,
    );
  if (continued.serial < serial) return false;
  if (continued.serial > serial || continued.digest !== digest)
    throw new StateError(
      'JOURNAL_MISMATCH',
      `the journal was written for another state file (serial ${continued.serial}), not for the current state file (serial ${serial})`,
    );
  return true;
}

function sealed(content: object): string {
  const text = JSON.stringify(content);
  return `${text.slice(0, -1)},"checksum":"${checksumOf(text)}"}\n`;
}

function unsealed<T>(schema: z.ZodType<T>, text: string, number: number): T {
  const value = parsedObject(text);
  if (value === undefined) throw damaged(`line ${number} is not a JSON object`);
  const { checksum, ...content } = value;
  const format = content['journal'];
  if (typeof format === 'number' && format > 1)
    throw new StateError('STATE_TOO_NEW', 'the journal was written by a newer sluice', {
      hint: 'use the sluice version that wrote the journal, or a later version',
    });
  if (checksum !== checksumOf(JSON.stringify(content))) throw damaged(`the checksum of line ${number} does not match`);
  const read = schema.safeParse(content);
  if (!read.success) throw damaged(`line ${number}: ${z.prettifyError(read.error).split('\n')[0] ?? ''}`);
  return read.data;
}

function checksumOf(text: string): string {
  return `sha256:${hash('sha256', text, 'base64url')}`;
}

function damaged(why: string): StateError {
  return new StateError('JOURNAL_DAMAGED', `the journal cannot be read: ${safeText(why)}`);
}
