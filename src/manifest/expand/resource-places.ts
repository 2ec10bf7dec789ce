import type { SourceLocation } from '../../diagnostics/diagnostic.ts';
import type { Path } from '../../kinds/value.ts';
import type { FieldPlaces, ItemLines, PrintedValue } from '../../model/resource.ts';
import type { Problems } from '../check/problems.ts';
import { itemsInFile } from '../read/item-lines.ts';
import { inside, type Origin } from '../read/origin.ts';

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
  readonly #written: WrittenResource | Origin;

  constructor(problems: Problems, written: WrittenResource) {
    this.#problems = problems;
    // Nearly all resources have a manifest of their own and share nothing: that is kept alone.
    const isPlain = !written.isNested && written.modules.length + written.printed.length === 0;
    this.#written = isPlain ? written.whole : written;
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
    return 'whole' in written ? written : { whole: written, isNested: false, modules: [], printed: [] };
  }

  #originOf([first]: Path): Origin {
    const { whole, isNested, modules } = this.#all;
    const shared = modules.find(({ name }) => name === first);
    return shared?.origin ?? (isNested ? whole : inside(whole, 'spec'));
  }
}
