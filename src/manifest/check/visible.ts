import type { Field, Fields, KindSet } from '../../kinds/kind.ts';
import type { Path } from '../../kinds/value.ts';
import { lifecycleKeys } from './check-renewal.ts';
import { externalKind } from './external.ts';
import { fieldsIn } from '../../derive/field-at.ts';
import { manifestBlocks } from './misplaced-field.ts';
import { moduleFields, moduleSetKind, moduleSetsField } from './module-set.ts';

/** The words that a key may be below a name that is unknown; undefined: this is no key. */
type KeyWords = ReadonlySet<string> | undefined;

/**
 * Whether the scalar at a path of a manifest is of a known field that is no secret, so that a person may see it in a message;
 * or the key there, which may be a secret in braces. `kindAt` gives the kind of the mapping at a path.
 */
export function isVisible(kinds: KindSet, kindAt: (base: Path) => unknown, path: Path, words?: KeyWords): boolean {
  const isKey = words !== undefined;
  const base = path[0] === 'items' && typeof path[1] === 'number' ? path.slice(0, 2) : [];
  const [block, ...rest] = path.slice(base.length);
  if (isKey && block !== 'spec') return true;
  if (block === 'apiVersion' || block === 'kind') return rest.length === 0;
  if (block === 'metadata') return isLabel(rest);
  if (block === 'lifecycle') return isLifecycle(rest);
  if (block !== 'spec') return false;
  const kind = String(kindAt(base));
  if (kind === externalKind)
    return isKey || (rest.length === 1 && rest[0] === 'type') || (rest[0] === 'id' && isWhole(rest.slice(1)));
  if (kind === moduleSetKind) return inFields(moduleFields(kinds), rest, words);
  const own = kinds.named(kind);
  if (own === undefined) return isNamed(rest, words);
  const inner = kinds.within(kind).find(({ within }) => within.embeddedAs === rest[0]);
  if (inner === undefined) return inSugar(rest) || inFields(own.fields, rest, words);
  const [, , ...nested] = rest;
  const isBeside = isLabel(nested) || inSugar(nested) || (nested[0] === 'lifecycle' && isLifecycle(nested.slice(1)));
  return isBeside || inFields(inner.fields, nested, words);
}

function isLabel(path: Path): boolean {
  return (path[0] === 'name' && path.length === 1) || (path[0] === 'labels' && path.length === 2);
}

function inSugar(path: Path): boolean {
  return path[0] === 'module_sets' && path.length <= 2;
}

function inFields(fields: Fields, path: Path, words: KeyWords): boolean {
  const [name, ...rest] = path;
  const field = typeof name === 'string' && Object.hasOwn(fields, name) ? fields[name] : undefined;
  return field === undefined ? isNamed(path, words) : inField(field, rest, words);
}

function inField(field: Field, path: Path, words: KeyWords): boolean {
  const isKey = words !== undefined;
  if (field.is === 'group') return inFields(field.fields, path, words);
  if (field.is === 'list')
    return typeof path[0] === 'number'
      ? inField(field.of, path.slice(1), words)
      : isKey || (path[0] === 'var' && path.length === 1);
  if (field.is === 'dict') return path.length === 0 ? isKey : inField(field.of, path.slice(1), words);
  if (isKey) return field.secret !== true || path.every((step) => sourceWords.has(step));
  if (path.length === 0) return field.secret !== true;
  // A mapping in place of JSON has keys of its own.
  const takesValues = field.secret !== true && field.format !== 'json' && field.format !== 'policy';
  // The text of a template may be a secret itself, but for the variables in it.
  if (field.secret === true && path[0] === 'template') return false;
  return isWhole(path) || (takesValues && (isOutput(path) || (path.length === 1 && path[0] === 'field')));
}

/** Whether a key may be shown that is an unknown name, or below one: that may be a misspelled secret, with its text in braces. */
function isNamed([, ...below]: Path, words: KeyWords): boolean {
  return words !== undefined && below.every((step) => typeof step === 'number' || words.has(step));
}

const wholeSources = ['ref', 'from_env', 'from_file', 'var', 'template'];
// Keys that are shown even below a secret; the last ones are Kubernetes'.
const sourceWords = new Set<string | number>([
  ...wholeSources,
  ...['field', 'output', 'stack', 'address'],
  ...['env', 'valueFrom', 'secretKeyRef', 'name', 'key'],
]);

/** Whether the path inside a value is that of the value itself, or of what stands in place of it. */
function isWhole(path: Path): boolean {
  const [source, ...rest] = path;
  return source === undefined || (rest.length === 0 && wholeSources.includes(String(source)));
}

function isOutput([source, key, ...rest]: Path): boolean {
  return source === 'output' && rest.length === 0 && ['stack', 'address', 'field'].includes(String(key));
}

function isLifecycle([key, ...rest]: Path): boolean {
  return lifecycleKeys.includes(String(key)) && rest.length <= 1;
}

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
