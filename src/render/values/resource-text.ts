import { safeText } from '../../diagnostics/safe-text.ts';
import type { Palette } from '../text/palette.ts';

/** One resource as the service shows it, a field a line, a reference as its id; anything deeper as JSON. */
export function resourceText(resource: Readonly<Record<string, unknown>>, palette: Palette): string {
  const fields = Object.entries(resource).map(([name, value]) => [safeText(name, 60), shown(value)] as const);
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  return fields.map(([name, text]) => `${palette.quiet(name.padEnd(width))}  ${text}\n`).join('');
}

function shown(value: unknown): string {
  if (value === undefined || value === null || value === '') return '-';
  if (typeof value === 'string') return safeText(value, 4096);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.length === 0 ? '-' : value.map((item) => safeText(item, 4096)).join(', ');
  if (typeof value === 'object' && 'id' in value && typeof value.id === 'string') return safeText(value.id);
  return safeText(JSON.stringify(value), 4096);
}
