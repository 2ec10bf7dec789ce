import { createHash } from 'node:crypto';
import { sortedJson } from '../../derive/sorted-json.ts';
import type { Actual } from '../../model/actual.ts';
import type { State } from '../../model/state.ts';
import { encodeValue } from '../../plan/saved/encoded.ts';
import type { SnapshotFile } from './snapshot-schema.ts';

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
    resources: resources.map(({ kind, id, parent, spec, computed, marker, unmarkable }) => ({
      kind,
      id,
      ...(parent === undefined ? {} : { parent }),
      spec: encodeValue(spec, () => ''),
      computed: encodeValue(computed, () => ''),
      ...(marker === undefined ? {} : { marker }),
      ...(unmarkable === undefined ? {} : { unmarkable }),
    })),
  };
  return `${JSON.stringify({ ...content, integrity: snapshotIntegrity(content) })}\n`;
}

/** A checksum that finds damage; anybody can compute it. */
export function snapshotIntegrity(content: object): string {
  return createHash('sha256').update(sortedJson(content)).digest('hex');
}
