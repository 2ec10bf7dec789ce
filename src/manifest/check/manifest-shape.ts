import { quoted } from '../../diagnostics/quoted.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { fieldPath } from '../../diagnostics/field-path.ts';
import { unknownField } from '../../diagnostics/unknown-field.ts';
import type { KindSet } from '../../kinds/kind.ts';
import { hintToKind, isKnownKind } from './known-kind.ts';
import { emptyMapping } from '../../model/empty.ts';
import { isName } from '../../model/name.ts';
import { manifestBlocks, misplacedField } from './misplaced-field.ts';
import type { Problems } from './problems.ts';
import { isWrittenObject, type Written, type WrittenObject, inside, type Origin } from '../read/written.ts';

/** The version that manifests are written for. */
export const apiVersion = 'sluice/v1';

/** One manifest, its envelope taken off. */
export interface Manifest {
  /** Where the whole was written. */
  readonly origin: Origin;
  readonly written: WrittenObject;
  readonly kind: string;
  readonly name: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly lifecycle: Written | undefined;
  readonly spec: WrittenObject;
}

const blocksWithoutLifecycle = manifestBlocks.filter((block) => block !== 'lifecycle');
const metadataFields = ['name', 'labels'];

/** Takes the envelope off a manifest, strictly. Undefined where it is not a manifest of a known kind. */
export function readManifest(value: Written, origin: Origin, kinds: KindSet, problems: Problems): Manifest | undefined {
  if (!isWrittenObject(value) || !manifestBlocks.some((block) => Object.hasOwn(value, block))) {
    const message =
      'the document is not a manifest: it must be a mapping with `apiVersion`, `kind`, `metadata` and `spec`';
    problems.at(origin, [], { code: 'INVALID_MANIFEST', message });
    return undefined;
  }
  const kind = knownKind(value['kind'] ?? null, origin, kinds, problems);
  if (kind === undefined) return undefined;
  const of = kinds.named(kind);
  const misplaced = (block: 'manifest' | 'metadata') => (key: string) =>
    of === undefined ? {} : misplacedField(key, { block, path: [], kind: of, kinds, isNested: false });
  const blocks = of === undefined ? blocksWithoutLifecycle : manifestBlocks;
  onlyKnown(value, blocks, kind, origin, problems, misplaced('manifest'));
  checkVersion(value, origin, problems);
  const metadata = mapping(value, 'metadata', origin, problems);
  const place = inside(origin, 'metadata');
  const where = `${kind}.metadata`;
  onlyKnown(metadata, metadataFields, where, place, problems, misplaced('metadata'));
  return {
    origin,
    written: value,
    kind,
    name: readName(metadata['name'], place, where, of?.within !== undefined, problems),
    labels: readLabels(metadata['labels'], place, where, problems),
    lifecycle: value['lifecycle'],
    spec: mapping(value, 'spec', origin, problems),
  };
}

/** Reads a name: a DNS label; `where` is what messages call the mapping that has it. Undefined where there is none, or a wrong one. */
export function readName(
  name: Written | undefined,
  origin: Origin,
  where: string,
  optional: boolean,
  problems: Problems,
): string | undefined {
  if (name === undefined || name === null) {
    if (!optional) problems.at(origin, [], { code: 'MISSING_FIELD', message: `\`${where}.name\` is required` });
    return undefined;
  }
  if (typeof name !== 'string') {
    const message = `\`${where}.name\` must be a string`;
    problems.at(origin, ['name'], { code: 'INVALID_NAME', message, ...quotesHint(name) });
    return undefined;
  }
  if (isName(name)) return name;
  problems.at(origin, ['name'], {
    code: 'INVALID_NAME',
    message: `\`${where}.name\` must be a DNS label: lower-case letters, digits and inner hyphens, at most 63 characters, not ${quoted(name, 80)}`,
  });
  return undefined;
}

/** Reads labels: a mapping of strings. */
export function readLabels(
  labels: Written | undefined,
  origin: Origin,
  where: string,
  problems: Problems,
): Readonly<Record<string, string>> {
  if (labels === undefined || labels === null) return emptyMapping;
  if (!isWrittenObject(labels)) {
    const message = `\`${where}.labels\` must be a mapping of strings`;
    problems.at(origin, ['labels'], { code: 'INVALID_TYPE', message });
    return {};
  }
  const good: Record<string, string> = {};
  for (const name in labels) {
    const text = labels[name];
    const path = ['labels', name];
    if (typeof text === 'string') good[name] = text;
    else
      problems.at(origin, path, {
        code: 'INVALID_LABEL',
        message: `\`${fieldPath(where, path)}\` must be a string`,
        ...quotesHint(text),
      });
  }
  return good;
}

/** A number or a boolean may only lack quotes; a mapping or a list would be wrong with them as well. */
function quotesHint(value: Written | undefined): { readonly hint?: string } {
  return typeof value === 'object' ? {} : { hint: 'put the value in quotes' };
}

function knownKind(kind: Written, origin: Origin, kinds: KindSet, problems: Problems): string | undefined {
  if (typeof kind === 'string' && isKnownKind(kind, kinds)) return kind;
  const hint = hintToKind(typeof kind === 'string' ? kind : undefined, kinds);
  const message = typeof kind === 'string' ? `unknown kind \`${safeText(kind, 100)}\`` : '`kind` must be a string';
  const isMissing = { code: 'MISSING_FIELD', message: 'the manifest has no `kind`', hint } as const;
  problems.at(origin, ['kind'], kind === null ? isMissing : { code: 'UNKNOWN_KIND', message, hint });
  return undefined;
}

/** Reports a version that manifests are not written for. */
export function checkVersion(value: WrittenObject, origin: Origin, problems: Problems): void {
  if (value['apiVersion'] === apiVersion) return;
  const given = value['apiVersion'] ?? null;
  const wrong = typeof given === 'string' ? `, not ${quoted(given, 80)}` : '';
  problems.at(
    origin,
    ['apiVersion'],
    given === null
      ? { code: 'MISSING_FIELD', message: `\`apiVersion: ${apiVersion}\` is required` }
      : { code: 'INVALID_VALUE', message: `\`apiVersion\` must be ${apiVersion}${wrong}` },
  );
}

/** Reports the keys of a mapping that are not among those known, each with where it belongs, if that is known. */
export function onlyKnown(
  value: WrittenObject,
  known: readonly string[],
  where: string,
  origin: Origin,
  problems: Problems,
  misplaced: (key: string) => { readonly hint?: string } = () => ({}),
): void {
  for (const key in value)
    if (!known.includes(key)) problems.at(origin, [key], { ...unknownField(key, known, where), ...misplaced(key) });
}

function mapping(value: WrittenObject, key: string, origin: Origin, problems: Problems): WrittenObject {
  const block = value[key] ?? {};
  if (isWrittenObject(block)) return block;
  problems.at(origin, [key], { code: 'INVALID_TYPE', message: `\`${key}\` must be a mapping` });
  return {};
}
