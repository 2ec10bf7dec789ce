import type { Diagnostic, SourceLocation } from '../diagnostics/diagnostic.ts';
import type { Path, Ref, SecretOrigin, SpecObject } from '../kinds/value.ts';
import type { Address } from './address.ts';

/** The lifecycle settings of a resource. Absent means not set. */
export interface Lifecycle {
  readonly protect?: boolean;
  readonly on_remove?: 'delete' | 'retain';
  /** JSON pointers (RFC 6901) into spec that sluice leaves alone. */
  readonly ignore?: readonly string[];
  /** The id of a live resource to take over. */
  readonly adopt?: string;
  /** The stack id of the marker that `adopt` may overwrite. */
  readonly adopt_from?: string;
  /** The address it had before; of several, the latest first. */
  readonly moved_from?: Address | readonly Address[];
  /** How long what is issued lasts from the moment it is asked for, in seconds. */
  readonly valid_for?: number;
  /** How long before its end it is renewed, in seconds. */
  readonly renew_before?: number;
  /** The file that holds what was issued, from the stack's directory, with forward slashes. */
  readonly certificate_file?: string;
}

/** The addresses that a resource had before, the latest first. */
export function formerAddresses({ moved_from = [] }: Lifecycle): readonly Address[] {
  return typeof moved_from === 'string' ? [moved_from] : moved_from;
}

/** A value that a manifest takes from a variable or file whose content may be printed. */
export interface PrintedValue {
  readonly path: Path;
  readonly text: string;
  readonly origin: SecretOrigin;
}

/** Where the items of a structure are written, such as the rules of a policy: a file, and lines by pointer. */
export interface ItemLines {
  readonly file: string;
  readonly lines: Readonly<Record<string, number>>;
}

/** Where the fields of a resource are written. */
export interface FieldPlaces {
  /** Where a field was written, as near as known; the whole resource for an empty path. */
  of(path: Path): SourceLocation;
  /** Where a field was written by a patch; undefined where it was not. */
  patchOf?(path: Path): SourceLocation | undefined;
  /** Where the items of a structured text were written, where that is known. */
  itemsOf?(path: Path): ItemLines | undefined;
}

/** One resource as the manifests want it: values resolved, references by address or id. */
export interface Desired {
  readonly address: Address;
  readonly kind: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Write form. A field that is absent or null is left to the service's default. The parent of a nested kind stands under its own field (`edge_id`). */
  readonly spec: SpecObject;
  /** The values that the spec takes from other resources; absent if there are none. Those that the manifests know are in place. */
  readonly references?: readonly { readonly path: Path; readonly ref: Ref }[];
  /** The values of the spec that are printed although they come from outside. */
  readonly printed?: readonly PrintedValue[];
  readonly lifecycle: Lifecycle;
  readonly place: SourceLocation;
  readonly places: FieldPlaces;
}

/** Everything that the manifests define. */
export interface DesiredStack {
  readonly resources: readonly Desired[];
  /** Warnings and notes; errors too when reading went on to find more. */
  readonly diagnostics: readonly Diagnostic[];
  /** Resources that something is wrong with: their manifest, or what it is made of. Empty where there are no errors. */
  readonly broken?: ReadonlySet<Address>;
  /** Files and directories of manifests that have an error, named as in the places of resources. */
  readonly brokenFiles?: ReadonlySet<string>;
  /** Those of them that have something which could not be read as a manifest. */
  readonly unread?: ReadonlySet<string>;
  /** There is an error of which nobody knows which resource it is about: none is to be relied on. */
  readonly inDoubt?: boolean;
  /** Errors that may only follow from a file that cannot be read: the target of a patch may be there. */
  readonly consequences?: readonly Diagnostic[];
  /** The addresses of the `External`s, by the ids that they give a name. */
  readonly externals?: Readonly<Record<string, Address>>;
  /** False for a targeted plan (-f, -l or --target): then nothing may be deleted (decisions/0030). */
  readonly complete: boolean;
}
