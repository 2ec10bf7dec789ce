import * as z from 'zod';
import { safeText } from '../../diagnostics/safe-text.ts';
import { readSafely } from '../../files/safe-file.ts';
import type { Path } from '../../kinds/value.ts';
import type { Problems, Visibility } from '../check/problems.ts';
import { parseDocuments } from '../read/parse-documents.ts';
import { SourceFile } from '../read/source-document.ts';
import type { Written, Origin } from '../read/written.ts';

/** One document of a settings file: its values, with their positions. */
export interface SettingsDocument {
  readonly value: Written;
  readonly origin: Origin;
}

/** A file of settings. */
export interface SettingsSource {
  /** How it is shown. */
  readonly name: string;
  readonly path: string;
  /** How messages name it: `the file`, unless it has a name of its own. */
  readonly title?: string;
}

/** The document of a file that must contain exactly one; an empty file has no settings. What is wrong is reported. */
export function onlyDocument(source: SettingsSource, problems: Problems): SettingsDocument | undefined {
  const before = problems.all().length;
  const [first, second] = settingsDocuments(source, problems);
  if (problems.all().length > before) return undefined;
  if (second !== undefined)
    problems.at(second.origin, [], {
      code: 'INVALID_SETTING',
      message: `${source.title ?? safeText(source.name, 200)} must contain exactly one document`,
    });
  if (first !== undefined) return first;
  const file = new SourceFile(source.name, '', source.path);
  return { value: {}, origin: originOf({ file, start: 0, end: 0, starts: new WeakMap(), isPlain: false }) };
}

/** The documents of a file of settings; what cannot be read is reported. */
export function settingsDocuments(
  { name, path, title = 'the file' }: SettingsSource,
  problems: Problems,
): readonly SettingsDocument[] {
  const read = readSafely(path);
  if ('code' in read) {
    const place = { file: name, line: 1, col: 1 };
    problems.add({ ...read, severity: 'error', message: `${title} ${read.message}`, place });
    return [];
  }
  const parsed = [...parseDocuments(new SourceFile(name, read.text, path))];
  for (const one of parsed) for (const problem of one.problems) problems.inText(one, problem);
  return parsed.flatMap(({ document, value = {}, problems: wrong }) =>
    wrong.length > 0 ? [] : [{ value, origin: originOf(document) }],
  );
}

function originOf(document: Origin['document']): Origin {
  return { document, base: [], edits: [] };
}

/** The fields that a schema allows at a path. */
export function fieldsAt(schema: z.core.$ZodType, path: Path): string[] {
  return shapesAt(schema, path).flatMap((shape) => (shape instanceof z.ZodObject ? Object.keys(shape.shape) : []));
}

/** The words that a schema allows at a path. */
export function wordsAt(schema: z.core.$ZodType, path: Path): string[] {
  return shapesAt(schema, path).flatMap((shape) =>
    shape instanceof z.ZodEnum ? shape.options.map(String) : shape instanceof z.ZodLiteral ? String(shape.value) : [],
  );
}

/** What a schema that allows a text at a path finds wrong with it, if anything. */
export function flawOfText(schema: z.core.$ZodType, path: Path, text: string): z.core.$ZodIssue | undefined {
  const shape = shapesAt(schema, path).find((one) => one instanceof z.ZodString);
  return shape?.safeParse(text).error?.issues[0];
}

/** The blocks that have a field of this name, outside lists. */
export function blocksWith(schema: z.core.$ZodType, name: string, block = ''): string[] {
  const found = shapesAt(schema, []).flatMap((shape) => {
    if (!(shape instanceof z.ZodObject)) return [];
    const fields: Readonly<Record<string, z.core.$ZodType>> = shape.shape;
    const inside = Object.entries(fields).flatMap(([key, field]) =>
      blocksWith(field, name, block === '' ? key : `${block}.${key}`),
    );
    return [...(Object.hasOwn(fields, name) ? [block] : []), ...inside];
  });
  return [...new Set(found)];
}

/** What may be shown of a file: its keys, and the values of known fields that are not discreet. */
export function settingsVisibility(
  schema: z.core.$ZodType,
  isDiscreet: (path: Path) => boolean = () => false,
): Visibility {
  const isScalar = (path: Path): boolean =>
    shapesAt(schema, path).some((shape) => !(shape instanceof z.ZodObject) && !(shape instanceof z.ZodArray));
  // What else is in a mapping that is to name the variable of a credential may be the credential itself, in braces.
  const isKeyShown = (path: Path): boolean =>
    path.at(-1) === 'from_env' || fieldsAt(schema, path.slice(0, -1)).join() !== 'from_env';
  return {
    of: () => (path, isKey) => (isKey === true ? isKeyShown(path) : !isDiscreet(path) && isScalar(path)),
    words: new Set(keysOf(schema)),
  };
}

function keysOf(schema: z.core.$ZodType): string[] {
  return shapesAt(schema, []).flatMap((shape) => {
    if (shape instanceof z.ZodArray) return keysOf(shape.element);
    if (!(shape instanceof z.ZodObject)) return [];
    const fields: Readonly<Record<string, z.core.$ZodType>> = shape.shape;
    return Object.entries(fields).flatMap(([name, field]) => [name, ...keysOf(field)]);
  });
}

/** Every schema that may describe the value at a path. */
function shapesAt(schema: z.core.$ZodType, [step, ...rest]: Path): z.core.$ZodType[] {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional)
    return shapesAt(schema.unwrap(), step === undefined ? [] : [step, ...rest]);
  if (schema instanceof z.ZodUnion)
    return schema.options.flatMap((option) => shapesAt(option, step === undefined ? [] : [step, ...rest]));
  if (step === undefined) return [schema];
  if (schema instanceof z.ZodArray) return typeof step === 'number' ? shapesAt(schema.element, rest) : [];
  if (schema instanceof z.ZodRecord) return shapesAt(schema.valueType, rest);
  if (!(schema instanceof z.ZodObject)) return [];
  const shape = schema.shape as Readonly<Record<string, z.core.$ZodType>>;
  const field = Object.hasOwn(shape, step) ? shape[step] : undefined;
  return field === undefined ? [] : shapesAt(field, rest);
}
