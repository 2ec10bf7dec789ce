import { brokenRule } from '../../derive/check/broken-rule.ts';
import type { Finding } from '../../derive/check/check-spec.ts';
import type { Diagnostic, SourceLocation } from '../../diagnostics/diagnostic.ts';
import type { KindSet, Profile } from '../../kinds/kind.ts';
import type { Desired, ItemLines } from '../../model/resource.ts';
import type { Path } from '../../kinds/value.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { lastEdit, type Written, type Origin } from '../read/written.ts';
import { placeWithExcerpt, type KnownFields, type ExcerptFilter } from '../read/excerpt.ts';
import { limits } from '../read/limits.ts';
import { locate, itemsInDocument } from '../read/locate.ts';
import type { ParsedDocument } from '../read/parse-documents.ts';
import type { SourceDocument } from '../read/source-document.ts';
import type { SyntaxProblem } from '../read/syntax-problem.ts';
import { parseTree, type YamlTree } from '../read/yaml-tree.ts';
import { isVisible, fieldWords } from './visible.ts';

/** A problem before it has a place. */
export type ManifestProblem = Omit<Diagnostic, 'place' | 'severity' | 'related'> & {
  readonly severity?: Diagnostic['severity'];
  readonly related?: readonly { readonly message: string; readonly origin: Origin }[];
};

/** A finding as a problem: described facts are errors, completed ones only where the profile trusts them. */
export function findingProblem(finding: Finding, profile: Profile): Omit<ManifestProblem, 'related'> {
  const { code, hint } = finding;
  return { code, ...brokenRule(finding, profile), ...(hint === undefined ? {} : { hint }) };
}

/** Makes a problem of a resource, which is asked for only if the problem is listed. */
type MakeProblem = () => Omit<Diagnostic, 'address' | 'severity'>;

/** Reports a problem of a resource; without a severity, it is an error. */
export type ReportProblem = (about: Desired, make: MakeProblem, severity?: Diagnostic['severity']) => void;

/** A warning about a resource. */
export interface ResourceWarning {
  readonly about: Desired;
  readonly make: MakeProblem;
}

/** What of a document may be shown in messages. */
export interface Visibility {
  /** Its scalars. */
  readonly of: (tree: YamlTree) => ExcerptFilter;
  /** Its keys where the syntax is broken. */
  readonly words: ReadonlySet<string>;
}

/** In manifests, the kind of a document decides which of its fields may be shown. */
export function manifestVisibility(kinds: KindSet): Visibility {
  const words = fieldWords(kinds);
  return {
    of: (tree) => (path, isKey) =>
      isVisible(kinds, (base) => tree.getIn([...base, 'kind']), path, isKey === true ? words : undefined),
    words,
  };
}

// Each takes a hundred times the memory of its text.
const mostRecent = 3;

/** Collects what is wrong with files, and finds the places. */
export class Problems {
  readonly #visibility: Visibility;
  readonly #found: Diagnostic[] = [];
  /** How many problems a file has, and how serious those are that are not listed. */
  readonly #counts = new Map<string, { readonly count: number; readonly severity: 'error' | 'warning' }>();
  #troubles = 0;
  readonly #recent = new Map<SourceDocument, KnownFields | undefined>();

  constructor(visibility: Visibility) {
    this.#visibility = visibility;
  }

  /** How many errors and doubts there have been: what is read while this grows is not to be relied on. */
  get troubles(): number {
    return this.#troubles;
  }

  /** Something stays unknown because another manifest is wrong; that is reported where it is wrong. */
  doubt(): void {
    this.#troubles += 1;
  }

  /** Everything reported, and for files with too many problems how many were omitted. */
  all(): readonly Diagnostic[] {
    const omitted = [...this.#counts].filter(([, { count }]) => count > limits.problems);
    return [
      ...this.#found,
      ...omitted.map(([file, { count, severity }]): Diagnostic => ({
        code: 'TOO_MANY_ERRORS',
        severity,
        message: `${String(count - limits.problems)} more problems in this file are not listed`,
        place: { file, line: 1, col: 1 },
      })),
    ];
  }

  /** Adds one whose place is known, or that has none. */
  add(diagnostic: Diagnostic): void {
    this.#found.push(diagnostic);
  }

  /** Adds one about a file whose place is still to be found. */
  inFile(file: string, make: () => Diagnostic, severity: Diagnostic['severity']): void {
    if (this.#counted(file, severity)) this.#found.push(make());
  }

  /** Rejects a manifest that contains the API key; its text is not shown. */
  refuse(origin: Origin, written: Written, holder: string): void {
    const { file, starts } = origin.document;
    const start = typeof written === 'object' && written !== null ? starts.get(written) : undefined;
    const { line, col } = start === undefined ? { line: 1, col: 1 } : file.spot(start);
    this.#troubles += 1;
    this.add({
      code: 'CREDENTIAL_AS_VALUE',
      severity: 'error',
      message: `${safeText(holder, 200)}: the value contains the API key of sluice itself`,
      hint: 'remove the key from the manifest, and rotate the key',
      place: { file: file.name, line, col },
    });
  }

  /** Adds one about something written, with the place of a field in it. A function is asked only if the problem is listed. */
  at(origin: Origin, path: Path, problem: ManifestProblem | (() => ManifestProblem)): void {
    const known = typeof problem === 'function' ? 'error' : (problem.severity ?? 'error');
    if (known === 'error') this.#troubles += 1;
    if (!this.#counted(origin.document.file.name, known)) return;
    const { related, severity = 'error', ...complaint } = typeof problem === 'function' ? problem() : problem;
    this.#found.push({
      ...complaint,
      severity,
      place: this.placeOf(origin, path),
      ...(related === undefined
        ? {}
        : { related: related.map((other) => ({ message: other.message, place: this.placeOf(other.origin, []) })) }),
    });
  }

  /** Adds one about the text itself. */
  inText({ document, wellFormed }: ParsedDocument, { range, related, ...problem }: SyntaxProblem): void {
    if (!this.#counted(document.file.name, 'error')) return;
    const known = wellFormed ? this.#knownOf(document) : undefined;
    const words = this.#visibility.words;
    const place = (at: readonly [number, number]) => placeWithExcerpt(document.file, at, known, words);
    this.#found.push({
      ...problem,
      severity: 'error',
      place: place(range),
      ...(related === undefined ? {} : { related: [{ message: related.message, place: place(related.range) }] }),
    });
  }

  /** Where a field was written, as near as known. */
  placeOf(origin: Origin, path: Path): SourceLocation {
    const { document, base } = origin;
    const edit = lastEdit(origin, path);
    if (edit?.place !== undefined) return edit.place;
    const known = this.#knownOf(document);
    if (known === undefined) return { file: document.file.name, line: document.file.spot(document.start).line, col: 1 };
    const [start, end] = locate(known.tree, edit?.path ?? [...base, ...path]);
    return placeWithExcerpt(document.file, [start + document.start, end + document.start], known);
  }

  /** Where the last patch was written that set a field or a part of it; undefined where none did, or that is not known. */
  patchPlace({ base, edits }: Origin, path: Path): SourceLocation | undefined {
    const whole = [...base, ...path];
    const isAbout = (edit: Path): boolean => whole.every((step, index) => index >= edit.length || edit[index] === step);
    return edits.findLast((edit) => isAbout(edit.path))?.place;
  }

  /** Where the items of a structure are written; undefined where a patch wrote it. */
  itemsOf(origin: Origin, path: Path): ItemLines | undefined {
    const { document, base } = origin;
    const known = lastEdit(origin, path) === undefined ? this.#knownOf(document) : undefined;
    return known && itemsInDocument(known.tree, [...base, ...path], document);
  }

  /** Where a resource begins, without its line. */
  startOf(origin: Origin, written: object): SourceLocation {
    const { file, starts } = origin.document;
    const start = starts.get(written);
    const { line, col } = start === undefined ? this.placeOf(origin, []) : file.spot(start);
    return { file: file.name, line, col };
  }

  /** Problems come document by document, and name a few others: keeping the last ones is enough. */
  #knownOf(document: SourceDocument): KnownFields | undefined {
    const tree = this.#recent.has(document) ? undefined : parseTree(document);
    const known =
      this.#recent.get(document) ?? (tree && { tree, base: document.start, shows: this.#visibility.of(tree) });
    this.#recent.delete(document);
    this.#recent.set(document, known);
    for (const oldest of this.#recent.keys()) if (this.#recent.size > mostRecent) this.#recent.delete(oldest);
    return known;
  }

  #counted(file: string, severity: Diagnostic['severity']): boolean {
    const before = this.#counts.get(file) ?? { count: 0, severity: 'warning' };
    const isListed = before.count < limits.problems;
    const omitted = !isListed && severity === 'error' ? severity : before.severity;
    this.#counts.set(file, { count: before.count + 1, severity: omitted });
    return isListed;
  }
}
