import type { Harness } from './harness.ts';

/** The secrets that the service of a harness has, whatever it shows of them. */
export function storedSecrets({ emulator }: Harness): string[] {
  const found: string[] = [];
  const walkThrough = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('reveal' in value && typeof value.reveal === 'function') found.push((value.reveal as () => string)());
    else
      for (const [name, inner] of Object.entries(value)) {
        if (/^(client_)?secret$/.test(name) && typeof inner === 'string') found.push(inner);
        walkThrough(inner);
      }
  };
  for (const { spec } of emulator.snapshot().resources) walkThrough(spec);
  return found;
}
