import { counted } from '../../diagnostics/counted.ts';
import type { DesiredStack } from '../../model/resource.ts';
import type { KeptVersions, Revision } from '../../model/status/watch-status.ts';
import { listSome } from '../../plan/warnings/list-some.ts';
import { invalidManifestsText } from '../../render/status/failure-words.ts';
import type { Ports } from '../ports.ts';

/** Logs that a new revision was read, every error in its manifests, and what stays as it was because of them. */
export function logManifests(
  log: Ports['log'],
  { resources, diagnostics }: DesiredStack,
  revision: Revision,
  kept: KeptVersions | undefined,
): void {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const how = errors.length === 0 ? '' : ` with ${counted(errors.length, 'error')}`;
  log('info', 'revision', `manifests loaded${how}: ${counted(resources.length, 'resource')}`, { ...revision });
  for (const { code, message, place, hint } of errors)
    log('error', 'manifest', message, {
      code,
      ...(place === undefined ? {} : { place: `${place.file}:${place.line}:${place.col}` }),
      ...(hint === undefined ? {} : { hint }),
    });
  if (kept === undefined) return;
  log('warn', 'kept', invalidManifestsText(kept), {
    files: listSome(kept.files, mostNames),
    resources: listSome(kept.addresses, mostNames),
  });
}

const mostNames = 50;
