import { inspect } from 'node:util';

/** A value in the API's write form: what a manifest means, what a body carries, what an answer is read back as. */
export type SpecValue = null | boolean | number | string | Ref | Secret | readonly SpecValue[] | SpecObject;

/** A group of named values in write form. */
export interface SpecObject {
  readonly [key: string]: SpecValue;
}

/** A place inside a spec, from its root: object keys and list indexes. */
export type Path = readonly (string | number)[];

/** A resource of another stack, which is found by its ownership marker. */
export interface OutputSource {
  /** The directory of the stack, as the manifest names it. */
  readonly stack: string;
  /** Who its ownership marker names. */
  readonly owner: string;
  /** Its address in that stack. */
  readonly address: string;
  /** The addresses that it had before, by which it is found where its marker cannot be updated. */
  readonly formerly?: readonly string[];
}

/** The id of another resource of this stack, or the value of one of its fields, which is known only once that resource is; or a value of a resource of another stack. */
export class Ref {
  /** The address referred to, `Kind/name`. */
  readonly to: string;
  /** The field whose value it is, with dots between the names of groups; the id if absent. */
  readonly field: string | undefined;
  /** Of another stack; then `to` is no address of this one. */
  readonly output: OutputSource | undefined;

  constructor(to: string, field?: string, output?: OutputSource) {
    this.to = to;
    this.field = field;
    this.output = output;
  }

  toJSON(): WrittenRef {
    if (this.output !== undefined && this.field !== undefined)
      return { output: { stack: this.output.stack, address: this.output.address, field: this.field } };
    return { ref: this.to, ...(this.field === undefined ? {} : { field: this.field }) };
  }
}

/** A reference as manifests have it. */
export type WrittenRef =
  | { readonly ref: string; readonly field?: string }
  | { readonly output: { readonly stack: string; readonly address: string; readonly field: string } };

/** A value that must never be shown: every way of printing it gives a stand-in; only `reveal` gives the text. */
export class Secret {
  readonly #text: string;
  /** Where the text came from, so that it can be read again: `{from_env}` or `{from_file}`; absent when written out. */
  readonly origin: SecretOrigin | undefined;

  constructor(text: string, origin?: SecretOrigin) {
    this.#text = text;
    this.origin = origin;
  }

  /** The text itself, for the wire and for digests only. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return '(secret)';
  }

  toJSON(): string {
    return this.toString();
  }

  [inspect.custom](): string {
    return this.toString();
  }
}

/** A value of a plain field that comes from the environment or a file and may hold anything: handled as a secret, shown by its origin. */
export class OutsideValue extends Secret {
  override toString(): string {
    if (this.origin === undefined) return '(value from the environment or a file)';
    return 'from_env' in this.origin ? `(from env ${this.origin.from_env})` : `(from file ${this.origin.from_file})`;
  }
}

/** In place of a value that is not available where the manifests are read, such as in a job without the secrets. */
export class UnavailableValue extends Secret {
  constructor(origin?: SecretOrigin) {
    super('(unavailable)', origin);
  }
}

/** How a manifest obtains a secret without writing it down. */
export type SecretOrigin = { readonly from_env: string } | { readonly from_file: string };

/** A value as text; empty where it is none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** True for a plain group of values, as opposed to a scalar, list, Ref or Secret. */
export function isSpecObject(value: unknown): value is SpecObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Ref) &&
    !(value instanceof Secret)
  );
}
