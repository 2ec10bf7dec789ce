import type { SourceLocation } from '../../diagnostics/diagnostic.ts';
import type { Path } from '../../kinds/value.ts';
import type { FieldPlaces, ItemLines, PrintedValue } from '../../model/resource.ts';
import { emptyList } from '../../model/empty.ts';
import type { Problems } from '../check/problems.ts';
import { itemsInFile } from '../read/locate.ts';
import type { SourceDocument } from '../read/source-document.ts';
import { inside, type Origin } from '../read/written.ts';

/** What of a resource decides where its fields are written. */
interface WrittenResource {
  /** Where the whole resource is written, and whether that is inside its parent, where its fields are beside its name. */
  readonly whole: Origin;
  readonly isNested: boolean;
  /** Modules that it shares. */
  readonly modules: readonly { readonly name: string; readonly origin: Origin }[];
  readonly printed: readonly PrintedValue[];
}

/** Where a resource and its fields are written, found when it is asked for. An object with as little as that takes: a stack has as many as it has resources. */
export class ResourcePlaces implements FieldPlaces {
  readonly #problems: Problems;
  readonly #written: WrittenResource | SourceDocument;

  constructor(problems: Problems, written: WrittenResource) {
    const { whole, isNested, modules, printed } = written;
    this.#problems = problems;
    // Nearly all resources have a document of their own, without patches, and share nothing: that is kept alone.
    const isPlain = !isNested && whole.base.length + whole.edits.length + modules.length + printed.length === 0;
    this.#written = isPlain ? whole.document : written;
  }

  of(path: Path): SourceLocation {
    return this.#problems.placeOf(path.length === 0 ? this.#all.whole : this.#originOf(path), path);
  }

  patchOf(path: Path): SourceLocation | undefined {
    return this.#problems.patchPlace(this.#originOf(path), path);
  }

  itemsOf(path: Path): ItemLines | undefined {
    return itemsInFile(this.#all.printed, path) ?? this.#problems.itemsOf(this.#originOf(path), path);
  }

  get #all(): WrittenResource {
    const written = this.#written;
    if ('whole' in written) return written;
    const whole = { document: written, base: emptyList, edits: emptyList };
    return { whole, isNested: false, modules: emptyList, printed: emptyList };
  }

  #originOf([first]: Path): Origin {
    const { whole, isNested, modules } = this.#all;
    const shared = modules.find(({ name }) => name === first);
    return shared?.origin ?? (isNested ? whole : inside(whole, 'spec'));
  }
}
