import { sortedJson } from '../../derive/sorted-json.ts';
import { didYouMean } from '../../diagnostics/did-you-mean.ts';
import { fieldPath } from '../../diagnostics/field-path.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { isIdentifying, isText } from '../../kinds/is-identifying.ts';
import type { Field, Fields, Leaf, Profile } from '../../kinds/kind.ts';
import {
  OutsideValue,
  Ref,
  Secret,
  UnavailableValue,
  type Path,
  type SecretOrigin,
  type SpecObject,
  type SpecValue,
} from '../../kinds/value.ts';
import type { PrintedValue } from '../../model/resource.ts';
import { isPrintable, printablePrefix } from '../read/is-printable.ts';
import type { ManifestProblem, Problems } from '../check/problems.ts';
import type { FindOutput } from './find-outputs.ts';
import type { RefTable } from './ref-table.ts';
import { originIn, type FindValue } from '../read/value-source.ts';
import type { Variables } from '../variables/variables.ts';
import { isWrittenObject, type Origin, type Written, type WrittenObject } from '../read/written.ts';

/** What resolving the specs of a run needs. */
export interface ResolveContext {
  readonly profile: Profile;
  readonly problems: Problems;
  readonly refs: RefTable;
  readonly outputs: FindOutput;
  readonly variables: Variables;
  readonly findValue: FindValue;
}

/** A spec with its references and values looked up. `holes` are paths of values that could not be resolved and have a placeholder. */
export interface Resolved {
  readonly spec: SpecObject;
  readonly printed: readonly PrintedValue[];
  readonly holes: readonly Path[];
}

/** Looks up references and values in a spec that is written at an origin and called `root` in messages. Null is omitted; unknown fields stay as written, for the check to report. */
export function resolveSpec(
  fields: Fields,
  written: WrittenObject,
  origin: Origin,
  root: string,
  context: ResolveContext,
): Resolved {
  const resolving = new Resolving(origin, root, context);
  const spec = resolving.group(fields, written, []);
  return { spec, holes: resolving.holes, printed: resolving.printed };
}

/** One spec whose references and values are looked up. */
class Resolving {
  readonly holes: Path[] = [];
  readonly printed: PrintedValue[] = [];
  readonly #origin: Origin;
  readonly #root: string;
  readonly #context: ResolveContext;
  /** Paths of values that variables of the stack file give. */
  #given: Set<Path> | undefined;

  constructor(origin: Origin, root: string, context: ResolveContext) {
    this.#origin = origin;
    this.#root = root;
    this.#context = context;
  }

  group(within: Fields, value: WrittenObject, path: Path): SpecObject {
    if (isPlain(within, value)) return value;
    const set: Record<string, SpecValue> = {};
    for (const name in value) {
      const item = value[name] ?? null;
      if (item === null) continue;
      const of = Object.hasOwn(within, name) ? within[name] : undefined;
      set[name] = of === undefined || standsForItself(of, item) ? item : this.#field(of, item, [...path, name]);
    }
    return set;
  }

  #field(of: Field, written: Written, path: Path): SpecValue {
    const found = this.#context.variables(written);
    if (found === undefined) return this.#literal(of, written, path);
    if ('complaint' in found) {
      this.#report(path, () => this.#withField(found.complaint(), path));
      return this.#hole(path);
    }
    (this.#given ??= new Set()).add(path);
    return this.#literal(of, found.value, path);
  }

  #literal(of: Field, value: Written, path: Path): SpecValue {
    if (value === null) return null;
    if (of.is === 'leaf') return this.#leaf(of, value, path);
    if (of.is === 'list')
      return Array.isArray(value)
        ? value.map((item: Written, index) => this.#field(of.of, item, [...path, index]))
        : value;
    if (!isWrittenObject(value)) return value;
    if (of.is === 'group') return this.group(of.fields, value, path);
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, this.#field(of.of, item, [...path, key])]),
    );
  }

  #leaf(of: Leaf, value: Written, path: Path): SpecValue {
    if (isWrittenObject(value)) return this.#mapping(of, value, path);
    const wrong =
      of.ref === undefined || typeof value !== 'string' ? undefined : this.#context.refs.literal(of.ref.to, value);
    if (wrong !== undefined) this.#report(path, { ...wrong, message: `\`${fieldPath('', path)}\`: ${wrong.message}` });
    if (of.secret !== true || typeof value !== 'string' || value === '') return value;
    this.#report(path, {
      code: 'SECRET_IN_MANIFEST',
      severity: 'warning',
      message: `\`${fieldPath(this.#root, path)}\` contains a secret in plain text, visible to everybody who reads the manifest`,
      hint: 'use {from_env: NAME} or {from_file: path}',
    });
    return new Secret(value);
  }

  #mapping(of: Leaf, value: WrittenObject, path: Path): SpecValue {
    const from = originIn(value);
    if (from !== undefined) return this.#lookedUp(of, from, path);
    const [key, ...more] = Object.keys(value);
    if (of.ref !== undefined && key === 'ref' && more.length === 0) {
      const target = this.#context.refs.find(of.ref.to, value['ref'] ?? null);
      if (target.complaint !== undefined) this.#report(path, target.complaint);
      return target.value ?? this.#hole(path);
    }
    if (of.format === 'json' || of.format === 'policy') return sortedJson(value);
    const taken = valueRefIn(value) ?? this.#context.outputs(value);
    if (taken !== undefined) {
      const wrong =
        taken instanceof Ref ? refusedValueRef(of, fieldPath(this.#root, path), taken) : this.#withField(taken, path);
      if (wrong === undefined) return taken as Ref;
      this.#report(path, wrong);
      return this.#hole(path);
    }
    this.#report(path, invalidSource(of, value, fieldPath(this.#root, path)));
    return this.#hole(path);
  }

  #lookedUp(of: Leaf, from: SecretOrigin, path: Path): SpecValue {
    // The stack file and its patches name files from the stack's directory; a manifest names them from its own.
    const manifest =
      this.#given?.has(path) === true || isPatched(this.#origin, path) ? undefined : this.#origin.document.file.path;
    const { text, complaint, origin: found } = this.#context.findValue(from, manifest, of.format);
    if (complaint !== undefined) this.#report(path, this.#withField(complaint, path));
    if (text === undefined) {
      // A plan from a snapshot goes on without the value, but not without knowing which resource it is about.
      if (complaint === undefined && isIdentifying(of))
        this.#report(path, notPrintable(fieldPath(this.#root, path), found));
      return this.#hole(path, found, complaint === undefined && of.secret !== true);
    }
    if (of.secret === true) return new Secret(text, found);
    if (isPrintable(found, of.format, text)) {
      this.printed.push({ path, text, origin: found });
      return text;
    }
    if (!isIdentifying(of)) return new OutsideValue(text, found);
    this.#report(path, notPrintable(fieldPath(this.#root, path), found));
    return this.#hole(path);
  }

  #withField(complaint: ManifestProblem, path: Path): ManifestProblem {
    return { ...complaint, message: `\`${fieldPath(this.#root, path)}\`: ${complaint.message}` };
  }

  #hole(path: Path, from?: SecretOrigin, isOutside = false): SpecValue {
    this.holes.push(path);
    return isOutside ? new OutsideValue('(unavailable)', from) : new UnavailableValue(from);
  }

  #report(path: Path, complaint: ManifestProblem | (() => ManifestProblem)): void {
    this.#context.problems.at(this.#origin, path, complaint);
  }
}

function isPatched({ base, edits }: Origin, path: Path): boolean {
  const whole = [...base, ...path];
  return edits.some((edit) => edit.place !== undefined && edit.path.every((step, index) => whole[index] === step));
}

/** Whether nothing in a mapping has to be looked up, reported or omitted: then it need not be copied. */
function isPlain(within: Fields, value: WrittenObject): boolean {
  for (const name in value) {
    const item = value[name] ?? null;
    const of = Object.hasOwn(within, name) ? within[name] : undefined;
    if (item === null || !standsForItself(of, item)) return false;
  }
  return true;
}

/** Whether a value is plain, as most are: nothing has to be looked up or reported. */
function standsForItself(of: Field | undefined, value: Written): boolean {
  if (of === undefined) return true;
  if (of.is === 'list') return Array.isArray(value) && value.every((item: Written) => standsForItself(of.of, item));
  return of.is === 'leaf' && typeof value !== 'object' && of.ref === undefined && of.secret !== true;
}

/** A value that cannot be masked where it is used, and so must be printable. */
export function notPrintable(field: string, origin: SecretOrigin): ManifestProblem {
  const from = 'from_env' in origin ? `the environment variable ${origin.from_env}` : 'a file';
  return {
    code: 'EXTERNAL_VALUE_NOT_ALLOWED',
    message: `plans print \`${field}\`, so the field does not accept a value from ${from}`,
    hint: `write the value in the manifest, or use an environment variable whose name begins with ${printablePrefix}`,
  };
}

/** Tells of a path whether its value could not be resolved, so that findings about its placeholder are of no use. */
export function holeTest(holes: readonly Path[]): (path: Path) => boolean {
  if (holes.length === 0) return () => false;
  const known = new Set(holes.map((hole) => JSON.stringify(hole)));
  return (path) => known.has(JSON.stringify(path));
}

/** The value of another resource: `{ref: NAME, field: FIELD}` and nothing else. Its address is completed once all resources are known. */
function valueRefIn(value: WrittenObject): Ref | undefined {
  const { ref, field } = value;
  const isWhole = Object.keys(value).length === 2 && typeof ref === 'string' && typeof field === 'string';
  return isWhole && ref !== '' && field !== '' ? new Ref(ref, field) : undefined;
}

/** Why a field does not accept the value of another resource. */
function refusedValueRef(of: Leaf, field: string, { to, output }: Ref): ManifestProblem | undefined {
  if (of.ref === undefined) return refusedRef(of, field);
  return referenceNotAllowed(
    `\`${field}\` requires an id and does not accept a field of another resource`,
    output === undefined ? `write {ref: ${safeText(to, 100)}}` : undefined,
  );
}

/** Why a field that is not an id takes no value of another resource. */
function refusedRef(of: Leaf, field: string): ManifestProblem | undefined {
  if (of.secret === true)
    return referenceNotAllowed(
      `\`${field}\` is a secret and cannot reference another resource`,
      'use {from_env: NAME} or {from_file: path}',
    );
  return isText(of)
    ? undefined
    : referenceNotAllowed(`\`${field}\` is not a string and cannot reference another resource`);
}

function referenceNotAllowed(message: string, hint?: string): ManifestProblem {
  return { code: 'REFERENCE_NOT_ALLOWED', message, ...(hint === undefined ? {} : { hint }) };
}

/** A mapping that is not a value source, and what may have been meant. */
function invalidSource(of: Leaf, value: WrittenObject, field: string): ManifestProblem {
  const ways = [...(of.ref === undefined ? [] : ['ref']), 'from_env', 'from_file', 'var', 'template'];
  if (of.ref === undefined && of.secret !== true) ways.push('output');
  if (Object.hasOwn(value, 'ref') && Object.hasOwn(value, 'field'))
    return {
      code: 'INVALID_VALUE_SOURCE',
      message: `\`${field}\`: \`ref\` must be the name of a resource, \`field\` must be a field of that resource, and no other keys are allowed`,
      hint: 'write {ref: NAME, field: FIELD}',
    };
  const [key = '', ...more] = Object.keys(value);
  if (key === 'ref' && of.ref === undefined && more.length === 0)
    return (
      refusedRef(of, field) ??
      referenceNotAllowed(
        `{ref: NAME} is the id of a resource, and \`${field}\` is not an id`,
        'to use another field of the resource, write {ref: NAME, field: FIELD}',
      )
    );
  const isHostport = of.format === 'hostport' && key.includes('.');
  const hint = isHostport
    ? 'write `hostname:port`, without a space after the colon'
    : more.length > 0 || ways.includes(key)
      ? undefined
      : wayMeant(key, ways);
  return {
    code: 'INVALID_VALUE_SOURCE',
    message: `\`${field}\` must be a plain value, or a mapping with only one of ${ways.map((way) => `\`${way}\``).join(', ')}`,
    ...(hint === undefined ? {} : { hint }),
  };
}

function wayMeant(key: string, ways: readonly string[]): string | undefined {
  if (/env|secret|value/i.test(key)) return 'write {from_env: NAME}, with the name of an environment variable';
  if (/file|path/i.test(key)) return 'write {from_file: PATH}, relative to the manifest';
  return didYouMean(key, ways);
}
