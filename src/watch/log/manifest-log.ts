import { counted } from '../../diagnostics/counted.ts';
import type { DesiredStack } from '../../model/resource.ts';
import type { Revision } from '../../model/watch-status.ts';
import type { Ports } from '../ports.ts';

/** Logs that a new revision was read, and every error in its manifests. */
export function logManifests(log: Ports['log'], { resources, diagnostics }: DesiredStack, revision: Revision): void {
  log('info', 'revision', `manifests loaded: ${counted(resources.length, 'resource')}`, { ...revision });
  for (const { severity, code, message, place, hint } of diagnostics)
    if (severity === 'error')
      log('error', 'manifest', message, {
        code,
        ...(place === undefined ? {} : { place: `${place.file}:${place.line}:${place.col}` }),
        ...(hint === undefined ? {} : { hint }),
      });
}
