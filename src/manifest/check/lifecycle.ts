import type { Code } from '../../diagnostics/codes.ts';
import { suggest } from '../../diagnostics/suggest.ts';
import { unknownField } from '../../diagnostics/unknown-field.ts';
import { pointerNames } from '../../derive/pointer.ts';
import type { Field, Fields, Kind, KindSet } from '../../kinds/kind.ts';
import type { Path } from '../../kinds/value.ts';
import { splitAddress, type Address } from '../../model/address.ts';
import { emptyMapping } from '../../model/empty.ts';
import { idForm, isId } from '../../model/id.ts';
import type { Lifecycle } from '../../model/resource.ts';
import type { ManifestProblem } from './problems.ts';
import { readRenewal, type RenewalOptions, commonLifecycleKeys, lifecycleKeys } from './check-renewal.ts';
import { misplacedField, writableNames } from './misplaced-field.ts';
import { isWrittenObject, type Written } from '../read/written.ts';

/** What reading a lifecycle block needs to know. */
export interface LifecycleOptions extends Pick<RenewalOptions, 'spec' | 'fileNamed'> {
  readonly kind: Kind;
  readonly kinds: KindSet;
  /** The block of a resource that is written inside another. */
  readonly isNested: boolean;
  readonly report: (path: Path, complaint: ManifestProblem) => void;
}

/** Reads a lifecycle block, strictly. What is wrong in it is reported and omitted. */
export function readLifecycle(written: Written | undefined, options: LifecycleOptions): Lifecycle {
  return written === undefined || written === null ? emptyMapping : readBlock(written, options);
}

function readBlock(written: Written, options: LifecycleOptions): Lifecycle {
  const { kind, kinds, isNested, report } = options;
  const { fields, renewal } = kind;
  if (!isWrittenObject(written)) {
    report([], { code: 'INVALID_TYPE', message: '`lifecycle` must be a mapping' });
    return {};
  }
  const known = renewal === undefined ? commonLifecycleKeys : lifecycleKeys;
  for (const key of Object.keys(written))
    if (!known.includes(key))
      report([key], {
        ...unknownField(key, known, `${kind.name}.lifecycle`),
        ...misplacedField(key, { block: 'lifecycle', path: [], kind, kinds, isNested }),
      });
  if (written['adopt_from'] !== undefined && written['adopt'] === undefined)
    wrong('adopt_from', 'can be set only together with `adopt`');
  const lifecycle: { -readonly [K in keyof Lifecycle]: Lifecycle[K] } = {};
  read(
    'protect',
    'a boolean',
    (value) => (typeof value === 'boolean' ? value : undefined),
    () => 'write true or false, without quotes',
  );
  read('on_remove', 'delete or retain', (value) => (value === 'delete' || value === 'retain' ? value : undefined));
  read('ignore', 'a list of JSON pointers into spec', (value) =>
    Array.isArray(value) ? pointersIn(value) : undefined,
  );
  read('adopt', `the id of an existing resource (${idForm})`, (value) =>
    typeof value === 'string' && isId(value) ? value : undefined,
  );
  read('adopt_from', 'the id of a stack, eight hexadecimal digits', (value) =>
    typeof value === 'string' && /^[0-9a-f]{8}$/.test(value) ? value : undefined,
  );
  read(
    'moved_from',
    `an address, such as ${kind.name}/${kind.within === undefined ? 'name' : 'parent:name'}, or a list of them`,
    (value) =>
      typeof value === 'string' ? formerAddress(value) : Array.isArray(value) ? formerOnes(value) : undefined,
    (value) =>
      typeof value === 'string' && /^[a-z0-9-]+$/.test(value)
        ? `write \`moved_from: ${kind.name}/${value}\``
        : undefined,
  );
  if (renewal !== undefined) Object.assign(lifecycle, readRenewal(written, { ...options, renewal, wrong }));
  return lifecycle;

  function read<K extends keyof Lifecycle>(
    key: K,
    wanted: string,
    take: (value: Written) => Lifecycle[K] | undefined,
    meant: (value: Written) => string | undefined = () => undefined,
  ): void {
    const value = isWrittenObject(written) ? (written[key] ?? null) : null;
    if (value === null) return;
    const taken = take(value);
    if (taken === undefined) wrong(key, `must be ${wanted}`, 'INVALID_LIFECYCLE', meant(value));
    else lifecycle[key] = taken;
  }

  function wrong(key: string, message: string, code: Code = 'INVALID_LIFECYCLE', hint?: string): void {
    report([key], {
      code,
      message: `\`${kind.name}.lifecycle.${key}\` ${message}`,
      ...(hint === undefined ? {} : { hint }),
    });
  }

  function pointersIn(values: readonly Written[]): readonly string[] {
    return values.flatMap((value, index) => {
      const steps = typeof value === 'string' ? pointerNames(value) : [];
      if (typeof value === 'string' && /^\/.*[^/]$/s.test(value) && leadsTo(fields, steps)) return [value];
      const own =
        steps[0] === 'spec' ? steps.slice(1) : steps.length > 0 ? steps : [typeof value === 'string' ? value : ''];
      const near = suggest(own[0] ?? '', writableNames(fields));
      report(['ignore', index], {
        code: 'INVALID_LIFECYCLE',
        message: `\`${kind.name}.lifecycle.ignore[${String(index)}]\` must be a JSON pointer to a field of spec, such as /description`,
        ...(own.length === 1 && near !== undefined ? { hint: `did you mean \`/${near}\`?` } : {}),
      });
      return [];
    });
  }

  function formerOnes(values: readonly Written[]): readonly Address[] | undefined {
    const found = values.flatMap((value) => (typeof value === 'string' ? (formerAddress(value) ?? []) : []));
    return found.length === values.length && found.length > 0 ? found : undefined;
  }

  function formerAddress(value: string): Address | undefined {
    const { kind: other, name } = splitAddress(value);
    if (kinds.named(other) === undefined || name === '') return undefined;
    if (other === kind.name) return kind.within === undefined || name.includes(':') ? value : undefined;
    wrong('moved_from', `must be an address of the same kind: a ${other} cannot become a ${kind.name}`);
    return value;
  }
}

function leadsTo(fields: Fields, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return false;
  const field: Field | undefined = writableNames(fields).includes(name) ? fields[name] : undefined;
  if (field === undefined) return false;
  if (rest.length === 0) return true;
  if (field.is === 'group') return leadsTo(field.fields, rest);
  return field.is === 'dict' && rest.length === 1;
}
