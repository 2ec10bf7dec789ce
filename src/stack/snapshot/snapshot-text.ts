import { hideDigests, holdsDigest, hiddenValue } from '../../derive/external/hidden-values.ts';
import type { Actual } from '../../model/actual.ts';
import { present } from '../../model/present.ts';
import type { State, Entry } from '../../model/state.ts';
import { checksumOf, encodeValue, decodeValue } from '../../plan/saved/encoded.ts';
import { type SnapshotFile, snapshotSchema } from './snapshot-schema.ts';
import { resolve } from 'node:path';
import { hasFields } from '../../derive/check/has-fields.ts';
import { SluiceError } from '../../diagnostics/errors.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { readSafely } from '../../files/safe-file.ts';
import { kinds } from '../../kinds/index.ts';
import type { SpecObject } from '../../kinds/value.ts';
import type { StackContext } from '../stack-context.ts';
import { UsageError } from '../usage-error.ts';
import { parsedJson } from '../../model/json-object.ts';

/** What a snapshot contains, before its secrets are hidden. */
export type ToSnapshot = Omit<SnapshotFile, 'format' | 'integrity' | 'resources' | 'state'> & {
  readonly state?: State;
  readonly resources: readonly Actual[];
};

/** The text of a snapshot. Of secrets and external values it has the place and the source. */
export function snapshotText({ resources, ...rest }: ToSnapshot): string {
  const content = {
    format: 'sluice-snapshot/1',
    ...rest,
    // Each field by its name: nothing is written that was not meant to be.
    resources: resources.map(({ kind, id, spec, computed, parent, marker, unmarkable }) => ({
      kind,
      id,
      spec: encodeValue(spec, () => ''),
      computed: encodeValue(computed, () => ''),
      ...present({ parent, marker, unmarkable }),
    })),
  };
  return `${JSON.stringify({ ...content, integrity: checksumOf(content) })}\n`;
}

/** State as far as a snapshot has it: nothing in it verifies a secret or a value from outside. */
export function hideState(state: State, digest: (text: string) => string): State {
  // A hash of the manifests would verify the secrets in them.
  const { externalValues: _, applied: _applied, ...rest } = hideDigests(state, digest);
  const entries = Object.entries(rest.entries).map(([address, entry]) => [address, withoutVerifiers(entry)] as const);
  return { ...rest, entries: Object.fromEntries(entries) };
}

/** Digests of texts as they were sent and shown remain only where the text itself is in the snapshot. */
function withoutVerifiers({ returnedSecrets: _, rewrittenTexts, ...entry }: Entry): Entry {
  if (rewrittenTexts === undefined) return entry;
  const plain = Object.entries(rewrittenTexts).filter(
    ([pointer]) => !holdsDigest(entry.spec[pointer.split('/')[1] ?? '']),
  );
  return { ...entry, rewrittenTexts: Object.fromEntries(plain) };
}

/** A snapshot that was read from a file. */
export interface Snapshot {
  readonly file: Omit<SnapshotFile, 'resources' | 'integrity'>;
  readonly resources: readonly Actual[];
}

const largest = 64 * 1024 * 1024;

/** Reads a snapshot. Whoever plans from it can write it: everything in it is checked. */
export function readSnapshot({ io }: StackContext, name: string): Snapshot {
  const read = readSafely(resolve(io.cwd, name), largest);
  if (!('text' in read)) throw new UsageError(`${name} ${read.message}`, hint);
  return parseSnapshot(read.text, name);
}

/** The snapshot in a text. */
export function parseSnapshot(text: string, name: string): Snapshot {
  const json = parsedJson(text);
  if (json === undefined) throw damaged(name, 'the file is not valid JSON');
  const parsed = snapshotSchema.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue === undefined || issue.path.length === 0 ? '' : `${safeText(issue.path.join('.'), 200)}: `;
    throw damaged(
      name,
      `the file is not a snapshot that this version of sluice can read: ${place}${safeText(issue?.message ?? '', 200)}`,
    );
  }
  const { integrity, ...content } = parsed.data;
  if (integrity !== checksumOf(content)) throw damaged(name, 'the checksum does not match');
  const { resources, ...file } = content;
  return {
    file,
    resources: resources.map((resource, index): Actual => {
      const kind = kinds.named(resource.kind);
      const [spec, computed] = [resource.spec, resource.computed].map((value) =>
        decodeValue(value, ({ origin, outside }) => hiddenValue(outside === true, origin)),
      ) as [SpecObject, SpecObject];
      const place = `resources.${String(index)}`;
      if (kind === undefined) throw damaged(name, `${place}.kind: unknown kind ${safeText(resource.kind, 80)}`);
      if (!hasFields(kind.fields, spec))
        throw damaged(name, `${place}.spec: the fields do not match the kind ${kind.name}`);
      if ((kind.within === undefined) !== (resource.parent === undefined))
        throw damaged(
          name,
          `${place}.parent: ${kind.name} ${kind.within === undefined ? 'has no parent' : 'requires a parent'}`,
        );
      return { ...resource, spec, computed };
    }),
  };
}

const hint = 'use a file written by `sluice snapshot --out`';

function damaged(name: string, why: string): SluiceError {
  return new SluiceError('SNAPSHOT_DAMAGED', `${name} cannot be used: ${why}`, { hint });
}
