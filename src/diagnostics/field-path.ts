import { safeText } from './safe-text.ts';

/** A field by its full name: `HTTPSEdge.spec.sources[0].type`. */
export function fieldPath(root: string, path: readonly (string | number)[]): string {
  return path.reduce<string>((whole, step) => {
    if (typeof step === 'number') return `${whole}[${step}]`;
    return whole === '' ? safeText(step, 100) : `${whole}.${safeText(step, 100)}`;
  }, root);
}
