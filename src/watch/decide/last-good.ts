import type { Desired, DesiredStack } from '../../model/resource.ts';

/**
 * What is in force after reading manifests: what has no error; of what stood in files with errors, the last good version; and nothing
 * is taken for removed while anything is broken, since what cannot be read may be just what is missed (law 7).
 */
export function lastGood(read: DesiredStack, before: DesiredStack | undefined): DesiredStack {
  const errors = read.diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return read;
  const { broken = new Set() } = read;
  const sound = read.resources.filter(({ address }) => !broken.has(address));
  const present = new Set(sound.map(({ address }) => address));
  const filesWithErrors = new Set(errors.map(({ place }) => place?.file));
  const earlier: Desired[] = (before?.resources ?? []).filter(
    ({ address, place }) =>
      !present.has(address) && (filesWithErrors.has(place.file) || filesWithErrors.has(undefined)),
  );
  return {
    resources: [...sound, ...earlier],
    diagnostics: read.diagnostics.filter(({ severity }) => severity !== 'error'),
    complete: false,
  };
}
