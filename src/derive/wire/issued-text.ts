import type { Kind } from '../../kinds/kind.ts';
import type { SpecObject } from '../../kinds/value.ts';

/** The content of the file that holds what was issued; undefined where nothing was. */
export function issuedText({ renewal }: Kind, computed: SpecObject | undefined): string | undefined {
  const issued = renewal === undefined ? undefined : computed?.[renewal.file.field];
  return typeof issued === 'string' && issued.trim() !== '' ? `${issued.trim()}\n` : undefined;
}
