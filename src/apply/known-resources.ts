import { fieldAt } from '../derive/field-at.ts';
import { replaceFieldRefs, resolveRefs, type FieldRef } from '../derive/references.ts';
import { actualValue } from '../derive/wire/actual-value.ts';
import { SluiceError } from '../diagnostics/errors.ts';
import type { Field, Kind } from '../kinds/kind.ts';
import type { SpecObject, SpecValue } from '../kinds/value.ts';
import type { Address } from '../model/address.ts';
import type { JsonObject } from '../model/json-object.ts';
import { type Change, type Step, getsNewId } from '../model/plan/plan.ts';
import type { Created } from './create.ts';
import { unclearedFields } from './uncleared-fields.ts';
import { sentFields } from './spec-after-request.ts';

/** What a run knows about its resources: at first from the plan, then also from the answers to its requests. */
export class KnownResources {
  readonly #drawNonce: () => string;
  readonly #ids = new Map<Address, string>();
  readonly #created = new Map<Address, Created>();
  readonly #made = new Set<string>();
  readonly #nonces = new Map<Address, string>();
  readonly #answers = new Map<Address, Readonly<Record<string, unknown>>>();
  readonly #kept = new Map<Address, Readonly<Record<string, string>>>();

  constructor(changes: readonly Change[], drawNonce: () => string) {
    this.#drawNonce = drawNonce;
    for (const { address, id, action } of changes)
      if (id !== undefined && !getsNewId(action)) this.#ids.set(address, id);
  }

  /** The id of a resource, where there is one yet. */
  id(address: Address): string | undefined {
    return this.#ids.get(address);
  }

  /** The id of a resource; throws if there is none yet. */
  readonly idOf = (address: Address): string => {
    const id = this.#ids.get(address);
    if (id === undefined) throw new SluiceError('ID_UNKNOWN', `the id of ${address} is unknown`);
    return id;
  };

  /** The id of the parent of a resource. */
  parentOf({ desired, parent }: Change, { within }: Kind): string | undefined {
    const named = within === undefined ? undefined : this.withIds(desired?.[within.by] ?? null);
    return typeof named === 'string' ? named : parent;
  }

  /** Replaces references in a value by the ids and values that are known. */
  withIds<T extends SpecValue>(value: T): T {
    const filled = replaceFieldRefs(value, (ref) => this.#valueOf(ref) ?? ref);
    return resolveRefs(filled, (address) => this.#ids.get(address));
  }

  /** Replaces references to fields of other resources in a body; throws if a value is missing, or if the field does not accept it. */
  withTakenValues(body: SpecObject, kind: Kind, module: string | undefined): SpecObject {
    return replaceFieldRefs(body, (ref, path) => {
      const value = this.#valueOf(ref);
      if (value === undefined)
        throw new SluiceError('VALUE_NOT_SET', `${ref.to} has no \`${ref.field}\` after its creation`);
      const wrong = refusal(fieldAt(kind.fields, module === undefined ? path : [module, ...path]), value);
      if (wrong !== undefined)
        throw new SluiceError(
          'VALUE_NOT_ACCEPTED',
          `\`${ref.field}\` of ${ref.to} cannot be the value of \`${path.join('.')}\`: the value ${wrong}`,
        );
      return value;
    });
  }

  #valueOf({ to, field }: FieldRef): SpecValue | undefined {
    const actual = this.#created.get(to)?.actual;
    return actual === undefined ? undefined : actualValue(actual, field);
  }

  /** The nonce for a marker that an update writes: that of the creation, or a new one. */
  nonceFor(address: Address): string {
    const nonce = this.nonce(address) ?? this.#drawNonce();
    this.#nonces.set(address, nonce);
    return nonce;
  }

  /** The nonce that this run has written to a resource, if any. */
  nonce(address: Address): string | undefined {
    return this.#created.get(address)?.nonce ?? this.#nonces.get(address);
  }

  /** The resource that this run has created for an address. */
  created(address: Address): Created | undefined {
    return this.#created.get(address);
  }

  /** Whether this run has created the resource with an id. */
  hasMade(id: string): boolean {
    return this.#made.has(id);
  }

  /** Notes a created resource. */
  noteCreated(address: Address, created: Created): void {
    this.#created.set(address, created);
    this.#made.add(created.id);
    this.#ids.set(address, created.id);
  }

  /** Notes the answer to a request, and returns the texts that the service did not clear as requested, by pointer. */
  noteAnswer(step: Step, kind: Kind, answer: JsonObject | undefined): Readonly<Record<string, string>> {
    const { address, request } = step;
    const kept = request.method === 'PATCH' ? unclearedFields(kind, request.body, answer) : {};
    this.#kept.set(address, { ...this.#kept.get(address), ...kept });
    const [before, now] = [this.#answers.get(address), answeredFields(step, answer)];
    this.#answers.set(address, before === undefined ? now : { ...before, ...now });
    return kept;
  }

  /** The fields of a resource in all answers so far. */
  answer(address: Address): Readonly<Record<string, unknown>> | undefined {
    return this.#answers.get(address);
  }

  /** The texts of a resource that the service did not clear, by pointer. */
  kept(address: Address): Readonly<Record<string, string>> {
    return this.#kept.get(address) ?? {};
  }
}

/** Why a field does not accept a value. */
function refusal(field: Field | undefined, value: SpecValue): string | undefined {
  if (field?.is !== 'leaf' || typeof value !== 'string') return 'is not a string';
  if (!field.schema.safeParse(value).success) return 'does not have the required format';
  return field.checks.map(({ test }) => test(value)).find((wrong) => wrong !== undefined);
}

/** The fields of the resource in an answer: all, or the one module that was written. The answer to a DELETE is ignored: it may show values from before. */
function answeredFields(step: Step, answer: JsonObject | undefined): Readonly<Record<string, unknown>> {
  const { method } = step.request;
  if (method === 'DELETE') return {};
  return method === 'PUT'
    ? Object.fromEntries(Object.keys(sentFields(step)).map((module) => [module, answer]))
    : (answer ?? {});
}
