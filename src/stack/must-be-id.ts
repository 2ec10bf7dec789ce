import { safeText } from '../diagnostics/safe-text.ts';
import { idForm, isId } from '../model/id.ts';
import { UsageError } from './usage-error.ts';

/** Refuses an argument that cannot be an id. */
export function mustBeIdArgument(id: string): void {
  if (!isId(id)) throw new UsageError(`${JSON.stringify(safeText(id, 200))} is not an id`, `an id is ${idForm}`);
}
