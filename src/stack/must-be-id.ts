import { quoted } from '../diagnostics/quoted.ts';
import { idForm, isId } from '../model/id.ts';
import { UsageError } from './usage-error.ts';

/** Refuses an argument that cannot be an id. */
export function mustBeIdArgument(id: string): void {
  if (!isId(id)) throw new UsageError(`${quoted(id, 200)} is not an id`, `an id is ${idForm}`);
}
