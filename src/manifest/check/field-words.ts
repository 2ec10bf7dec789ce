import type { Fields } from '../../kinds/kind.ts';
import type { KindSet } from '../../kinds/kind-set.ts';
import { lifecycleKeys } from './lifecycle-keys.ts';
import { fieldsIn, manifestBlocks } from './misplaced-field.ts';
import { moduleSetsField } from './module-set.ts';

/** Every key that a manifest can have: these are shown even where the syntax of a document is broken. */
export function fieldWords(kinds: KindSet): ReadonlySet<string> {
  const words = new Set([...manifestBlocks, 'name', 'labels', moduleSetsField]);
  for (const key of [...lifecycleKeys, 'ref', 'from_env', 'from_file']) words.add(key);
  for (const kind of kinds.all) {
    addAll(kind.fields);
    if (kind.within !== undefined) words.add(kind.within.embeddedAs);
  }
  return words;

  function addAll(fields: Fields): void {
    for (const [name, field] of Object.entries(fields)) {
      words.add(name);
      addAll(fieldsIn(field));
    }
  }
}
