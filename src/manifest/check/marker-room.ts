import { jsonObject, MARKER_BYTES, MARKER_KEY, markerField } from '../../derive/marker.ts';
import type { Kind } from '../../kinds/kind.ts';
import { Secret, type Path, type SpecObject } from '../../kinds/value.ts';
import type { ManifestProblem } from './problems.ts';

/** Whether the ownership marker fits beside the user's metadata, and what that means where it does not (decisions/0008). */
export function checkMarkerRoom(
  kind: Kind,
  spec: SpecObject,
  marker: boolean,
  report: (path: Path, complaint: ManifestProblem) => void,
): void {
  const field = markerField(kind);
  const leaf = field === undefined ? undefined : kind.fields[field];
  if (field === undefined || leaf?.is !== 'leaf') return;
  const value = spec[field] ?? '';
  const text = value instanceof Secret ? value.reveal() : value;
  if (typeof text !== 'string') return;
  const object = text === '' ? {} : jsonObject(text);
  if (object !== undefined && Object.hasOwn(object, MARKER_KEY))
    report([field], {
      code: 'RESERVED_METADATA_KEY',
      message: `the key \`${MARKER_KEY}\` of \`${field}\` is reserved for the ownership marker`,
      hint: 'rename the key',
    });
  if (!marker) {
    const message = 'ownership markers are disabled for this stack: ownership is recorded in state only';
    report([], { code: 'MISSING_MARKER', severity: 'note', message });
  } else if (object === undefined)
    report([field], {
      code: 'MISSING_MARKER',
      severity: 'warning',
      message: `\`${field}\` is plain text and cannot contain an ownership marker: ownership is recorded in state only`,
      hint: `write \`${field}\` as a mapping, so that sluice can find the resource even if the state is lost`,
    });
  else if (text !== '' && leaf.limit !== undefined) {
    const length = leaf.limit.unit === 'bytes' ? Buffer.byteLength(text) : Array.from(text).length;
    // The length of a value from outside is not for everybody.
    const size = value instanceof Secret ? `\`${field}\`` : `\`${field}\`, ${String(length)} ${leaf.limit.unit} long,`;
    if (length <= leaf.limit.max && length + MARKER_BYTES > leaf.limit.max)
      report([field], {
        code: 'NO_SPACE_FOR_MARKER',
        message: `${size} leaves too little space for the ownership marker, which needs ${String(MARKER_BYTES)} of ${String(leaf.limit.max)} ${leaf.limit.unit}`,
      });
  }
}
