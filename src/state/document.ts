import { hash } from 'node:crypto';
import * as z from 'zod';
import { Refused, StateError } from '../diagnostics/errors.ts';
import { safeText } from '../diagnostics/safe-text.ts';
import { idForm, isId } from '../model/id.ts';
import { isJsonObject } from '../model/json-object.ts';
import { atOnce, type Sliced } from '../model/sliced.ts';
import type { Entry, StateObject, State } from '../model/state.ts';
import { jsonInSteps } from './json-in-steps.ts';

/** Who wrote a state, for the person who finds it. */
export interface Writer {
  readonly version: string;
  readonly command: string;
}

const recorded = z.custom<StateObject>(isJsonObject);

const id = z.string().refine(isId, `not an id (${idForm})`);
const textFromEnv = z.strictObject({ secret: z.string(), from_env: z.string() });
const textFromFile = z.strictObject({ secret: z.string(), from_file: z.string() });

// The state of one resource, as stored in a file.
const entrySchema = z
  .strictObject({
    kind: z.string().min(1),
    id,
    parent: id.exactOptional(),
    spec: recorded,
    protect: z.boolean(),
    retain: z.boolean(),
    nonce: z.string().exactOptional(),
    formerNonces: z.array(z.string()).exactOptional(),
    formerAddresses: z.array(z.string().min(1)).exactOptional(),
    deposed: z.array(id).exactOptional(),
    adopting: z.literal(true).exactOptional(),
    deleting: z.literal(true).exactOptional(),
    attempted: z.array(recorded).exactOptional(),
    rebuilt: z.literal(true).exactOptional(),
    source: z.string().exactOptional(),
    returnedSecrets: z.record(z.string(), z.string()).exactOptional(),
    unverifiedSecrets: z.array(z.string()).exactOptional(),
    rewrittenTexts: z.record(z.string(), z.strictObject({ sent: z.string(), shown: z.string() })).exactOptional(),
    filledIn: z.record(z.string(), z.union([z.string(), z.number()])).exactOptional(),
    unclearedFields: z.record(z.string(), z.union([z.string(), textFromEnv, textFromFile])).exactOptional(),
  })
  .readonly();

const isText = (value: unknown): value is string => typeof value === 'string';
const isIdText = (value: unknown): boolean => isText(value) && isId(value);
const isFlag = (value: unknown): boolean => typeof value === 'boolean';

// What most entries have, and nothing else, in this order. Only of others the schema is asked: 10,000 entries take it long.
const usual: Readonly<Record<string, (value: unknown) => boolean>> = {
  kind: (value) => typeof value === 'string' && value !== '',
  id: isIdText,
  parent: isIdText,
  spec: isJsonObject,
  protect: isFlag,
  retain: isFlag,
  nonce: isText,
  source: isText,
};
const usualNames = Object.keys(usual);
const neededNames = ['kind', 'id', 'spec', 'protect', 'retain'];

/** Whether an entry is one that the schema takes as it is; of any other, the schema says what is wrong. */
function isUsualEntry(entry: unknown): entry is Entry {
  if (!isJsonObject(entry) || !neededNames.every((name) => Object.hasOwn(entry, name))) return false;
  let last = -1;
  for (const name in entry) {
    const place = usualNames.indexOf(name);
    if (place <= last || usual[name]?.(entry[name]) !== true) return false;
    last = place;
  }
  return true;
}

// A creation that was about to be sent.
const intentSchema = z.strictObject({
  kind: z.string().min(1),
  parent: id.exactOptional(),
  nonces: z.array(z.string()),
  spec: recorded.exactOptional(),
  unresolved: z.literal(true).exactOptional(),
});

// A released resource that still carries our marker, as stored in a file.
const forgottenSchema = z.strictObject({ kind: z.string().min(1), address: z.string().min(1) });

const controls = z.strictObject({ kind: z.string().min(1), spec: recorded });

// What requests had to satisfy when they last reached something.
const lastAccessSchema = z.array(z.strictObject({ route: controls, edge: controls.exactOptional() }));

const place = { kind: z.string().min(1), field: z.string().min(1) };

/** A value from a variable or file, as stored in a file. */
const externalValueSchema = z.union([
  z.strictObject({ ...place, ...textFromEnv.shape }),
  z.strictObject({ ...place, ...textFromFile.shape }),
]);

const appliedSchema = z.strictObject({ commit: z.string().regex(/^[0-9a-f]{40,64}$/), manifests: z.string() });

/** The fields of a change to a state, as stored in a journal: null for what is gone. */
export const stateChangeFields = {
  entries: z.record(z.string(), entrySchema.nullable()),
  intents: z.record(z.string(), intentSchema.nullable()),
  forgotten: z.record(z.string(), forgottenSchema.nullable()).exactOptional(),
  lastAccess: z.record(z.string(), lastAccessSchema.nullable()).exactOptional(),
  externalValues: z.array(externalValueSchema).exactOptional(),
  applied: appliedSchema.exactOptional(),
};

/** The fields of a state, as stored in a file. */
export const stateFields = {
  format: z.literal(1),
  lineage: z.string().min(1),
  serial: z.int().min(1),
  account: z.string(),
  salt: z.string().min(16),
  entries: z.record(z.string(), entrySchema),
  intents: z.record(z.string(), intentSchema).exactOptional(),
  forgotten: z.record(id, forgottenSchema).exactOptional(),
  lastAccess: z.record(z.string(), lastAccessSchema).exactOptional(),
  externalValues: z.array(externalValueSchema).exactOptional(),
  applied: appliedSchema.exactOptional(),
};

// Its entries are checked one by one.
const document = z.strictObject({
  ...stateFields,
  entries: z.custom<Record<string, unknown>>(isJsonObject),
  written_by: z.strictObject({ version: z.string(), command: z.string() }),
});

/** The text of a state file, in steps of a few resources: readable, with a checksum over all the rest. */
export function* documentInSteps(state: State, { version, command }: Writer): Sliced<string> {
  const { format, lineage, serial, account, salt, entries, intents, forgotten, lastAccess, externalValues, applied } =
    state;
  const content = {
    format,
    lineage,
    serial,
    account,
    salt,
    written_by: { version, command },
    entries,
    ...withoutEmpty({ intents, forgotten, lastAccess, externalValues, applied }),
  };
  const text = (yield* jsonInSteps(content)).slice(0, -lastLine.length);
  yield;
  return text + checksumLine(text);
}

/** Parts of a state or of a change to it, without those that are absent or empty. */
export function withoutEmpty<T extends Readonly<Record<string, object | undefined>>>(parts: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(parts).filter(([, part]) => Object.keys(part ?? {}).length > 0),
  ) as Partial<T>;
}

const lastLine = '\n}';

// The end of a state file: a checksum of the text before it.
function checksumLine(text: string): string {
  return `${beforeChecksum}sha256:${hash('sha256', text)}"${lastLine}\n`;
}

const beforeChecksum = ',\n "checksum": "';

// So many entries are checked in one step.
const entriesAtOnce = 20;

/** Reads a state file's text, in steps of some resources. Damaged, edited by hand, or newer: an error, never an empty state. */
export function* stateInSteps(text: string): Sliced<State> {
  // Whoever has read and digested the text has done one step.
  yield;
  const value = parse(text);
  yield;
  if (!isJsonObject(value)) throw damaged('the content is not a JSON object');
  const { checksum: _checksum, ...content } = value;
  if (typeof content['format'] === 'number' && content['format'] > 1) throw newer(content['written_by']);
  const end = text.lastIndexOf(beforeChecksum);
  if (end === -1 || text.slice(end) !== checksumLine(text.slice(0, end)))
    throw damaged('the checksum does not match: the file was truncated, damaged or edited');
  yield;
  const { written_by: _, entries, ...state } = checked(document, content);
  let checkedEntries = 0;
  for (const address in entries) {
    if (++checkedEntries % entriesAtOnce === 0) yield;
    if (!isUsualEntry(entries[address])) entries[address] = checked(entrySchema, entries[address]);
  }
  return { ...state, entries: entries as Record<string, Entry> };
}

/** Reads a state file's text at once. */
export function readDocument(text: string): State {
  return atOnce(stateInSteps(text));
}

/** The error of a state or journal that cannot be used, with its place and what to do. */
export function withHint(place: string, error: unknown, hint: string): unknown {
  if (error instanceof Refused) return new Refused(error.code, `${place}: ${error.message}`, { hint, cause: error });
  if (!(error instanceof StateError)) return error;
  return new StateError(error.code, `${place}: ${error.message}`, { hint: error.hint ?? hint, cause: error });
}

function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const read = schema.safeParse(value);
  if (!read.success) throw damaged(z.prettifyError(read.error).split('\n')[0] ?? '');
  return read.data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw damaged(text === '' ? 'the content is empty' : 'the content is not JSON');
  }
}

function damaged(why: string): StateError {
  return new StateError('STATE_DAMAGED', `the state cannot be read: ${safeText(why)}`);
}

function newer(writtenBy: unknown): StateError {
  const version = isJsonObject(writtenBy) ? writtenBy['version'] : '';
  const by = isText(version) && version !== '' ? ` (${safeText(version, 40)})` : '';
  return new StateError('STATE_TOO_NEW', `the state was written by a newer sluice${by}`, {
    hint: 'use the sluice version that wrote the state, or a later version',
  });
}
