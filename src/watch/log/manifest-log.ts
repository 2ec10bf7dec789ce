import { counted } from '../../diagnostics/counted.ts';
import type { DesiredStack } from '../../model/resource.ts';
import type { Revision } from '../../model/watch-status.ts';
import type { Ports } from '../ports.ts';

/** Logs that a new revision was read, and every error in its manifests. */
export function logManifests(log: Ports['log'], { resources, diagnostics }: DesiredStack, revision: Revision): void {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const how = errors.length === 0 ? '' : ` with ${counted(errors.length, 'error')}`;
  log('info', 'revision', `manifests loaded${how}: ${counted(resources.length, 'resource')}`, { ...revision });
  for (const { code, message, place, hint } of errors)
    log('error', 'manifest', message, {
      code,
      ...(place === undefined ? {} : { place: `${place.file}:${place.line}:${place.col}` }),
      ...(hint === undefined ? {} : { hint }),
    });
}
