import type { z } from 'zod';
import type { Path, SpecObject, SpecValue } from './value.ts';

/** The source of a fact: the description of the API, or our completion of its gaps (see decisions/). */
export type Provenance = 'described' | 'completed';

/** Which of the two the service at hand is trusted to follow. */
export type Profile = 'completed' | 'documented';

/** What a module asks of whoever sends a request. A swap within one class is never a gap (law 4). */
export type AccessControl = 'authentication' | 'network' | 'client-certificate' | 'signature';

/** What else a module may refuse a request for. It never counts as access control: anybody can meet it, or its meaning is not described. */
export type Filter = 'agent' | 'tls' | 'policy';

/** What of two values of a leaf is compared: all of it, or what a service is known not to change (decisions 0025). */
export type Comparison =
  | 'exact'
  | 'text'
  | 'caseless'
  | 'match'
  | 'header-value'
  | 'instant'
  | 'single'
  | 'json'
  | 'policy'
  | 'pem'
  | 'xml'
  | 'key-blob';

/** What a text holds, for summaries and generators. */
export type FieldFormat =
  | 'pem'
  | 'saml'
  | 'ssh-public-key'
  | 'json'
  | 'policy'
  | 'hostport'
  | 'hostname'
  | 'match'
  | 'url'
  | 'regex'
  | 'header-name'
  | 'header-value'
  | 'email'
  | 'team';

/** A single fact checked on one value; answers what is wrong, or nothing. */
export interface Check {
  readonly code: string;
  readonly since: Provenance;
  /** The part of it that JSON Schema keywords can express. */
  readonly schema?: Readonly<Record<string, string | number>>;
  readonly test: (value: string | number | boolean) => string | undefined;
  /** What to write in place of a wrong text, where that can be guessed. */
  readonly hint?: (text: string) => string | undefined;
}

/** A text that services accept, although it is rarely what was meant: a warning, and never a reason to refuse. */
export interface Lint {
  readonly code: string;
  /** What is unusual about a text, and what to write instead: a hint, or words that may have been meant. */
  readonly test: (
    text: string,
  ) => { readonly message: string; readonly hint?: string; readonly known?: readonly string[] } | undefined;
}

/** Something wrong inside a group, at a path from that group. */
export interface Problem {
  readonly path: Path;
  readonly message: string;
  readonly hint?: string;
}

/** A fact about several fields of one group together. */
export interface Rule {
  readonly code: string;
  readonly since: Provenance;
  readonly check: (group: SpecObject) => readonly Problem[];
}

/** A fact about a resource together with its parent. */
export interface NestedRule {
  readonly code: string;
  readonly since: Provenance;
  readonly check: (spec: SpecObject, parent: SpecObject) => readonly Problem[];
}

/** What an id field points at: a kind of this API, or a family it does not manage. */
export interface Reference {
  readonly to: string;
  /** In answers: the bare id, or an object `{id, uri}`. */
  readonly reads: 'id' | 'object';
}

interface FieldFacts {
  readonly doc: string;
  /** Changed in place, forces a replacement, or only ever read. */
  readonly lifecycle: 'mutable' | 'immutable' | 'computed';
  /** Must be given when its group is. */
  readonly required?: Provenance;
  /** The source of the fact that this field exists. */
  readonly since: Provenance;
  /** Its key in answers, when that differs from the write form. */
  readonly readAs?: string;
  /** How a change of it lets more through: in an access control or a filter, or of a resource itself, where it is set. Without it, none does. */
  readonly widensWhen?: 'grows' | 'turned-on' | 'lowered' | 'raised' | 'changes';
  /** In an access control: clients use it themselves, so another value refuses those with the old one. */
  readonly presented?: true;
}

/** One scalar: text, number or flag. */
export interface Leaf extends FieldFacts {
  readonly is: 'leaf';
  readonly schema: z.ZodType<string | number | boolean>;
  readonly checks: readonly Check[];
  readonly lints?: readonly Lint[];
  /** Values that people may write, for schemas; where absent, its words, default or format give one. */
  readonly examples?: readonly (string | number)[];
  readonly compare: Comparison;
  /** What the service takes when the field is left out; undefined where that is not known. */
  readonly default: string | number | boolean | undefined;
  /** Other values read back that mean the same as leaving it out. */
  readonly alsoUnset?: readonly (string | number | boolean)[];
  /** The unknown default depends on the time of creation and is never compared. */
  readonly defaultsToTime?: boolean;
  readonly secret?: boolean;
  /** It identifies a resource or a hostport, or messages contain it, so it cannot be masked. */
  readonly identifies?: boolean;
  readonly format?: FieldFormat;
  readonly ref?: Reference;
  /** Length limit, for schemas and generators (the check enforces it). */
  readonly limit?: { readonly max: number; readonly unit: 'bytes' | 'characters' };
  /** The text that carries the marker beside what the user put there. */
  readonly carriesMarker?: boolean;
  /** The create call does not take it: a second call sets it. */
  readonly notOnCreate?: boolean;
  /** A computed field that some services accept in writes; sluice never sends it, the emulator takes it. */
  readonly acceptedOnWrite?: boolean;
}

/** Several values of one shape. */
export interface List extends FieldFacts {
  readonly is: 'list';
  readonly of: Leaf | Group;
  /** A set has no order and no repeats; a sequence keeps both. */
  readonly order: 'set' | 'sequence';
  readonly atLeast?: { readonly count: number; readonly since: Provenance };
  /** Repeats are refused, by this completed or described rule. */
  readonly unique?: Provenance;
  /** Whom an entry lets pass, the entry that `of` makes of it lets pass too, if it is in `list`. */
  readonly coveredBy?: { readonly list: string; readonly of: (entry: string) => string };
}

/** Free keys, one shape of value. */
export interface Dict extends FieldFacts {
  readonly is: 'dict';
  readonly key: Leaf;
  readonly of: Leaf;
}

/** A group of named fields: a nested object, a module, or a sub-resource. If it is absent, the service returns null. */
export interface Group extends FieldFacts {
  readonly is: 'group';
  readonly fields: Fields;
  readonly rules: readonly Rule[];
  /** Whether it has its own PUT, GET and DELETE below the path of the resource, and the source of that. */
  readonly path?: { readonly suffix: string; readonly since: Provenance };
  readonly accessControl?: AccessControl;
  readonly filter?: Filter;
  /** An access control asks for nothing where this list is empty. */
  readonly inEffectWith?: string;
  /** Lists that together name who may pass; all empty admits everybody. */
  readonly allowLists?: readonly string[];
  /** A module whose presence lets requests through to something. */
  readonly upstream?: boolean;
  /** A module that may forward or answer requests on its own; the API does not describe its meaning. */
  readonly mayAnswer?: boolean;
  /** The flag of an access control that exempts OPTIONS requests from it. */
  readonly optionsExemption?: string;
  /** Whom an access control lets pass, in words. */
  readonly admitted?: (module: SpecObject) => string;
}

/** Anything a kind may hold under a name. */
export type Field = Leaf | List | Dict | Group;

/** The fields of a group, by the API's own names. */
export type Fields = Readonly<Record<string, Field>>;

/** A family of objects the API shows. */
export interface View {
  readonly name: string;
  readonly doc: string;
  /** Collection path, `{param}` for what it is nested in. */
  readonly path: string;
  /** The key of the list in a list answer. */
  readonly listKey: string;
  readonly idPrefix: string;
  readonly fields: Fields;
  readonly operations: Partial<Operations>;
  /** Commands below one of them, sent with an empty object. */
  readonly actions?: readonly string[];
}

/** Values that no two resources may hold at once. */
export interface Unique {
  readonly field: string;
  /** Unique in the whole account, or only within one parent. */
  readonly scope: 'account' | 'parent';
  readonly compare: Comparison;
  readonly since: Provenance;
  /** A value that a resource can have temporarily while two resources swap values. */
  readonly temporaryValue?: 'empty' | { readonly text: (nonce: string) => string };
  /** The code of the error if a service does not allow to remove the last of several values. */
  readonly lastValueError?: 'LAST_HOSTPORT_REQUIRED';
}

/** A kind that is nested in another: the id of its parent is in its path, and it is part of the answer for its parent. */
export interface Within {
  readonly kind: string;
  readonly by: string;
  readonly embeddedAs: string;
  /** The field that names it when the user gave no name. */
  readonly key: string;
  readonly rules: readonly NestedRule[];
}

/** How a kind takes part in deciding which request reaches which backend (law 4). */
export interface Traffic {
  /** The field with the list of its hostports. */
  readonly listens?: string;
  /** Whether TLS passes through to the upstream service, by the computed fields: then no module can read its requests. */
  readonly passesThrough?: (computed: SpecObject) => boolean;
  /** Which requests of its parent it matches. */
  readonly selects?: (spec: SpecObject) => Selector;
  /** The fields that decide which requests it matches. */
  readonly selectedBy?: readonly string[];
}

/** A name by which clients find a resource, besides the hostports of `traffic`. */
export interface ClientAddress {
  readonly by: string;
  /** Who can reach what with the name, in words. */
  readonly reachedBy: string;
  /** Who loses access when the name is deleted, for a name of which nothing shows whether it is used. */
  readonly cutsOff?: string;
}

/** A part of the requests to one hostport. A match with a host has priority over one without, an exact path over a prefix, a longer path over a shorter one. */
export interface Selector {
  readonly host: string | undefined;
  /** Which requests a host of this form selects is not described. */
  readonly isHostUnclear?: true;
  readonly path: string;
  readonly exact: boolean;
}

/** The operations of the kind, each with the source of that fact; an absent one does not exist. */
export interface Operations {
  readonly create: Provenance;
  readonly get?: Provenance;
  readonly list?: Provenance;
  readonly update?: Provenance;
  readonly delete?: Provenance;
}

/** How what is issued for a while only is issued again in time. */
export interface Renewal {
  /** The fields with the time from which it is valid, and with its expiry. */
  readonly startField: string;
  readonly expiryField: string;
  /** How long it lasts by default, in seconds. */
  readonly defaultSeconds: number;
  /** The computed field that can be kept in a file, and how the name of such a file ends. */
  readonly file: { readonly field: string; readonly suffix: string };
}

/** Everything there is to know about one kind of resource. */
export interface Kind extends View {
  readonly operations: Operations;
  readonly rules: readonly Rule[];
  /** Facts about it together with what the service reports of it, in the place of a parent. */
  readonly reported?: readonly NestedRule[];
  readonly unique: readonly Unique[];
  /** A field that two may have alike, though one would do. */
  readonly duplicateBy?: string;
  readonly within?: Within;
  readonly traffic?: Traffic;
  readonly clientAddress?: ClientAddress;
  /** Lists that together name who may pass; all empty admits everybody. */
  readonly allowLists?: readonly string[];
  /** Fields by which a person recognizes a resource. */
  readonly printerColumns: readonly string[];
  /** If set, resources are protected by default, for this reason. */
  readonly protectedBecause?: string;
  /** Deleting one loses it for good, or takes a credential out of use. */
  readonly destroys?: 'address' | 'credential';
  readonly renewal?: Renewal;
  /** Other names of the kind in configurations that can be converted, in snake case. */
  readonly alsoCalled?: readonly string[];
  /** Keys of answers that no field describes, with what they hold when they mean nothing. */
  readonly unexplained?: Readonly<Record<string, SpecValue>>;
  /** Item URIs in answers begin with the path alone. */
  readonly pathOnlyUri?: boolean;
}

/** A kind that is nested in another. */
export type NestedKind = Kind & { readonly within: Within };

/** The kinds a run works with: sluice's own, or those plus one a test made up. */
export interface KindSet {
  readonly all: readonly Kind[];
  /** All families of the API: the kinds, and those that no manifest describes. */
  readonly families: readonly (Kind | View)[];
  readonly named: (name: string) => Kind | undefined;
  /** The kinds that are nested in another. */
  readonly within: (parent: string) => readonly NestedKind[];
  /** The name of the parent kind, or of the kind itself if it is not nested. */
  readonly outermost: (name: string) => string;
}
