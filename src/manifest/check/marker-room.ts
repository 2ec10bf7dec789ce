import { jsonObject, MARKER_BYTES, MARKER_KEY, markerField } from '../../derive/marker.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { Path, SpecObject } from '../../kinds/value.ts';
import type { Problem } from './problems.ts';

/** Whether the marker finds its place beside the user's metadata, and what is lost where it does not (decisions/0008). */
export function checkMarkerRoom(
  kind: Kind,
  spec: SpecObject,
  marker: boolean,
  report: (path: Path, complaint: Problem) => void,
): void {
  const field = markerField(kind);
  const leaf = field === undefined ? undefined : kind.fields[field];
  if (field === undefined || leaf?.is !== 'leaf') return;
  const text = spec[field] ?? '';
  if (typeof text !== 'string') return;
  const object = text === '' ? {} : jsonObject(text);
  if (object !== undefined && Object.hasOwn(object, MARKER_KEY))
    report([field], {
      code: 'RESERVED_METADATA_KEY',
      message: `the key \`${MARKER_KEY}\` of \`${field}\` belongs to sluice`,
      hint: 'name it otherwise',
    });
  if (!marker) {
    const message = 'markers are turned off for this stack: only state remembers whose this is';
    report([], { code: 'MISSING_MARKER', severity: 'note', message });
  } else if (object === undefined)
    report([field], {
      code: 'MISSING_MARKER',
      severity: 'warning',
      message: `\`${field}\` is plain text, so this resource carries no marker: only state remembers whose it is`,
      hint: 'write it as a mapping, and sluice finds the resource again even without its state',
    });
  else if (text !== '' && leaf.limit !== undefined) {
    const length = leaf.limit.unit === 'bytes' ? Buffer.byteLength(text) : Array.from(text).length;
    if (length <= leaf.limit.max && length + MARKER_BYTES > leaf.limit.max)
      report([field], {
        code: 'NO_SPACE_FOR_MARKER',
        message: `\`${field}\` is ${String(length)} ${leaf.limit.unit} long; with the marker of ${String(MARKER_BYTES)} it exceeds ${String(leaf.limit.max)}`,
      });
  }
}
