/*
 * Between a plan that was approved and its apply, somebody else changes one field of the account. Either that is
 * caught, or it does not matter: then the apply still ends in what was approved. Every field of every kind is changed in
 * turn, found from the kinds, in three cases each: in a resource that the plan changes, in one that it leaves as it is,
 * and where the manifest reports nothing of the field. What does not matter is listed here, each with why.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { semanticEquals } from '../../../src/derive/canonical.ts';
import { markerField } from '../../../src/derive/marker.ts';
import type { AccountData } from '../../../src/emulator/account/account-data.ts';
import type { Stored } from '../../../src/emulator/family.ts';
import { kinds } from '../../../src/kinds/index.ts';
import type { Field, Fields, Kind } from '../../../src/kinds/kind.ts';
import type { Secret } from '../../../src/kinds/value.ts';
import { isEmptyPlan } from '../../../src/model/plan/plan.ts';
import type { DesiredStack } from '../../../src/model/resource.ts';
import type { State } from '../../../src/model/state.ts';
import { comparable } from '../../../src/plan/saved/comparable.ts';
import { differences } from '../../../src/plan/saved/differences.ts';
import {
  readSavedPlan,
  writeSavedPlan,
  type SavedPlan,
  type NeededSecret,
} from '../../../src/plan/saved/saved-plan.ts';
import { anyItem } from '../../generators/stack.ts';
import { referredTo, isMapping, type Item, type Written, type WrittenObject } from '../../generators/item.ts';
import { mend } from '../../generators/mend.ts';
import { anyValue } from '../../generators/spec.ts';
import { byFormat, externalId } from '../../generators/pools.ts';
import { digest, harness } from '../../support/harness.ts';
import type { ManifestFiles } from '../../support/load-text.ts';
import { manifestText } from '../../support/manifest-text.ts';

const leftToTheService = 'the manifest leaves it out and its default is not known: what the service has stands';

/** Fields that manifests leave out and that may change unnoticed, and why. Of those that they write there is none. */
const unsaid: Readonly<Record<string, string>> = {
  'HTTPSEdge tls_termination.min_version': leftToTheService,
  'HTTPSEdgeRoute circuit_breaker.error_threshold_percentage': leftToTheService,
  'SSHHostCertificate valid_after': 'its default is a moment, which is never compared',
  'SSHHostCertificate valid_until': 'its default is a moment, which is never compared',
};

// Only with a provider that needs no secret, which no generated stack has.
const neverLeftOut = ['HTTPSEdgeRoute webhook_verification.secret'];

const drawn = new Map<string, readonly (readonly Item[])[]>();

/** A field by the kind it is of and where it stands in it. */
interface FieldAt {
  readonly kind: Kind;
  readonly path: readonly string[];
  readonly field: Field;
}

const written = kinds.all.flatMap((kind) => fieldsIn(kind, without(kind.fields, kind.within?.by), []));
const optional = written.filter(({ field }) => field.required === undefined);

describe('a field that the manifest writes, changed by another hand', () => {
  const stacks = stacksFor(written, (spec, path) => valueAt(spec, path) !== undefined);

  test.each(['changes', 'leaves as it is'])('in a resource that the plan %s', async (what) => {
    const approved = once((stack: readonly Item[], kind: Kind) => {
      const planned = (item: Item) => (what === 'changes' && item.kind === kind.name ? described(item) : item);
      return approve(stack, stack.map(planned), kind);
    });
    const unnoticed = await unnoticedOf(written, async (at) => {
      const stack = stacks(at);
      if (stack === undefined) throw new Error(`no generated stack has ${nameOf(at)}`);
      return isCaught(await approved(stack, at.kind), at, (resource) =>
        withSpec(resource, (spec) => spoiled(spec, at)),
      );
    });
    expect(unnoticed).toEqual([]);
  });
});

test('a field that the manifest leaves out, set by another hand', async () => {
  const approved = once((stack: readonly Item[], kind: Kind) => approve(stack, stack, kind));
  const stacks = stacksFor(optional, (spec, path) => {
    const around = path.length === 1 ? spec : valueAt(spec, path.slice(0, -1));
    return isMapping(around) && around[path.at(-1) ?? ''] === undefined;
  });
  const never = optional.filter((at) => stacks(at) === undefined).map(nameOf);
  expect(never).toEqual(neverLeftOut);
  const unnoticed = await unnoticedOf(optional, async (at) => {
    const stack = stacks(at);
    if (stack === undefined) return true;
    return isCaught(await approved(stack, at.kind), at, (resource) =>
      withSpec(resource, (spec) => withValue(spec, at.path, otherThanDefault(at.field))),
    );
  });
  expect(unnoticed).toEqual(Object.keys(unsaid));
});

test.each(kinds.all.map((kind) => [kind.name, kind] as const))(
  'what the service itself decides about a %s, decided otherwise, does not matter',
  async (_, kind) => {
    const [stack] = stacksOf(kind, 1);
    if (stack === undefined) throw new Error(`no generated stack has a ${kind.name}`);
    const approved = await approve(stack, stack, kind);
    const own = approved.account.resources.find((one) => one.kind === kind.name)?.own ?? {};
    const decided: ((resource: Stored) => Stored)[] = [
      (resource) => ({ ...resource, created_at: '2001-01-01T00:00:00Z' }),
      ...Object.keys(own).map((name) => (resource: Stored): Stored => ({
        ...resource,
        own: { ...resource.own, [name]: 'otherwise' },
      })),
    ];
    for (const change of decided) expect(await isCaught(approved, { kind }, change)).toBe(false);
  },
);

/** Does something once for each stack: many fields are shown by one. */
function once(make: (stack: readonly Item[], kind: Kind) => Promise<Approved>): typeof make {
  const made = new Map<readonly Item[], Promise<Approved>>();
  return (stack, kind) => {
    const known = made.get(stack) ?? make(stack, kind);
    made.set(stack, known);
    return known;
  };
}

async function unnoticedOf(
  fields: readonly FieldAt[],
  isNoticed: (at: FieldAt) => Promise<boolean>,
): Promise<string[]> {
  const unnoticed: string[] = [];
  for (const at of fields) if (!(await isNoticed(at))) unnoticed.push(nameOf(at));
  return unnoticed;
}

/** A plan that was approved, and the account and memory it was made of. */
interface Approved {
  readonly account: AccountData;
  readonly state: State | undefined;
  readonly kept: SavedPlan;
  readonly desired: DesiredStack;
}

/** Has a plan approved that changes the witness, and where asked for the resource at hand. */
async function approve(before: readonly Item[], after: readonly Item[], kind: Kind): Promise<Approved> {
  const run = harness();
  await run.converge(manifests([...before, witness(kind, 'before')]));
  const { plan, desired } = await run.plan(manifests([...after, witness(kind, 'after')]));
  const { text } = writeSavedPlan({
    plan,
    desired,
    bound: { stack: 'prod/7f3a9c21', baseUrl: 'http://127.0.0.1', version: '1' },
    run: {
      described: [],
      targets: [],
      allow: [],
      resendSecrets: false,
      allowEmpty: false,
      acceptMissing: false,
      keepOldest: false,
    },
    savedAt: '2026-11-21T12:00:00Z',
    salt: 'salt-of-the-saved-plan',
    secretDigest: digest,
  });
  const kept = readSavedPlan(text, 'approved.plan', () => digest);
  const secretAt = ({ address, path }: NeededSecret): Secret => {
    const spec = desired.resources.find((one) => one.address === address)?.spec as WrittenObject;
    return valueAt(spec, path.map(String)) as unknown as Secret;
  };
  return { account: run.emulator.snapshot(), state: run.state(), kept, desired: kept.desired(secretAt) };
}

/** Whether a change between plan and apply is caught; where it is not, the apply must end in what was approved. */
async function isCaught(
  { account, state, kept, desired }: Approved,
  { kind }: Pick<FieldAt, 'kind'>,
  change: (resource: Stored) => Stored,
): Promise<boolean> {
  const run = harness(state === undefined ? {} : { state });
  const [changed] = account.resources.filter((resource) => resource.kind === kind.name);
  const resources = account.resources.map((resource) => (resource === changed ? change(resource) : resource));
  run.emulator.restore({ ...account, resources });
  const late = await run.plan(desired);
  if (differences(kept.approved, comparable(late.plan, digest)).length > 0) return true;
  const { changes } = await run.apply(late.plan);
  expect(changes.filter(({ ending }) => ending !== 'done')).toEqual([]);
  expect(isEmptyPlan((await run.plan(desired)).plan)).toBe(true);
  return false;
}

function withSpec(resource: Stored, change: (spec: WrittenObject) => WrittenObject): Stored {
  // Whoever sets a certificate policy has its certificate asked for.
  const own = { provisioning_since: resource.created_at, ...resource.own };
  return { ...resource, own, spec: change(resource.spec as WrittenObject) };
}

/** Something that the plan changes in any case. */
function witness({ name }: Kind, description: string): Item {
  return name === 'AgentIngress'
    ? { kind: 'ReservedAddr', name: 'witness', form: 'inside', spec: { description } }
    : { kind: 'AgentIngress', name: 'witness', form: 'inside', spec: { domain: 'witness.example.org', description } };
}

function described(item: Item): Item {
  return { ...item, spec: { ...item.spec, description: 'as planned' } };
}

/** The value of a field after another hand has been at it; a group is taken away. */
function spoiled(spec: WrittenObject, { kind, path, field }: FieldAt): WrittenObject {
  const value = valueAt(spec, path);
  const [name = ''] = path;
  if (name === markerField(kind)) return { ...spec, [name]: JSON.stringify({ ...objectIn(value), other: 'hand' }) };
  return withValue(spec, path, field.is === 'group' ? undefined : other(field, value ?? null));
}

function objectIn(text: Written | undefined): object {
  return typeof text === 'string' ? (JSON.parse(text) as object) : {};
}

function other(field: Field, value: Written): Written {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') {
    if (field.is === 'leaf' && field.compare === 'instant') return '2033-03-03T03:03:03Z';
    // Text around a PEM block is not compared.
    if (field.is === 'leaf' && field.format === 'pem') return value.replace(/\n[^-]/, '\nX');
    return `x${value}`;
  }
  if (field.is === 'list' && Array.isArray(value)) {
    const [first = 'first'] = value as readonly Written[];
    return [...(value as readonly Written[]), other(field.of, first)];
  }
  if (!isMapping(value)) return null;
  if (field.is === 'dict') return { ...value, 'x-other': 'hand' };
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, other(field, item)]));
}

/** A value of a field that means something else than leaving it out. */
function otherThanDefault(field: Field): Written {
  const values = fc.sample(anyValue(field, kinds), { numRuns: 60, seed: 1 }).map(withIds);
  const telling = values.find((value) => !semanticEquals(field, value, null, (text) => text));
  if (telling === undefined) throw new Error(`no value of ${field.doc} says anything`);
  return telling;
}

/** References as the ids that they stand for, or might. */
function withIds(value: Written): Written {
  const name = referredTo(value);
  if (name !== undefined) return externalId(name);
  if (Array.isArray(value)) return (value as readonly Written[]).map(withIds);
  return isMapping(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withIds(item)]))
    : value;
}

/** For each field the first generated stack in which it is as it must be. */
function stacksFor(
  fields: readonly FieldAt[],
  isSo: (spec: WrittenObject, path: readonly string[]) => boolean,
): (at: FieldAt) => readonly Item[] | undefined {
  const found = new Map<string, readonly Item[]>();
  for (const kind of kinds.all) {
    const open = new Set(fields.filter((at) => at.kind === kind));
    const isOpen = (): boolean => [...open].some((at) => !neverLeftOut.includes(nameOf(at)));
    for (let seed = 1; seed <= 30 && isOpen(); seed++)
      for (const stack of stacksOf(kind, seed))
        for (const at of open) {
          const item = stack.find((one) => one.kind === kind.name);
          if (item === undefined || !isSo(item.spec, at.path)) continue;
          found.set(nameOf(at), stack);
          open.delete(at);
        }
  }
  return (at) => found.get(nameOf(at));
}

/** Stacks of one resource of a kind, with what it lives in and refers to; each test asks for the same ones. */
function stacksOf(kind: Kind, seed: number): readonly (readonly Item[])[] {
  const key = `${kind.name} ${String(seed)}`;
  const stacks = drawn.get(key) ?? drawStacks(kind, seed);
  drawn.set(key, stacks);
  return stacks;
}

function drawStacks(kind: Kind, seed: number): (readonly Item[])[] {
  return fc.sample(anyItem(kind, kinds), { numRuns: 200, seed }).flatMap((item) => {
    const home: Item[] =
      kind.within === undefined ? [] : [{ kind: kind.within.kind, name: item.parent ?? '', form: 'inside', spec: {} }];
    const stack = mend([...home, ...authorities(item.spec), item], kinds);
    return stack.some((one) => one.kind === kind.name) ? [stack] : [];
  });
}

/** An authority for every name that a spec refers to. */
function authorities(spec: WrittenObject): Item[] {
  const names = JSON.stringify(spec).match(/(?<="ref":")\w+(?=")/g) ?? [];
  const ca_pem = byFormat.pem[0] ?? '';
  return [...new Set(names)].map((name) => ({ kind: 'CertificateAuthority', name, form: 'inside', spec: { ca_pem } }));
}

function manifests(items: readonly Item[]): ManifestFiles {
  return { 'stack.yaml': manifestText(items, kinds) };
}

function fieldsIn(kind: Kind, fields: Fields, path: readonly string[]): FieldAt[] {
  return Object.entries(fields).flatMap(([name, field]): FieldAt[] => {
    if (field.lifecycle === 'computed') return [];
    const at = { kind, path: [...path, name], field };
    return field.is === 'group' ? [at, ...fieldsIn(kind, field.fields, at.path)] : [at];
  });
}

function without(fields: Fields, name: string | undefined): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
}

function nameOf({ kind, path }: FieldAt): string {
  return `${kind.name} ${path.join('.')}`;
}

function valueAt(value: Written | undefined, path: readonly string[]): Written | undefined {
  const [name, ...rest] = path;
  if (name === undefined || value === undefined) return value;
  return isMapping(value) ? valueAt(value[name], rest) : undefined;
}

function withValue(spec: WrittenObject, path: readonly string[], value: Written | undefined): WrittenObject {
  const [name = '', ...rest] = path;
  const inner = spec[name];
  const next = rest.length === 0 ? value : withValue(isMapping(inner) ? inner : {}, rest, value);
  const others = Object.entries(spec).filter(([key]) => key !== name);
  return Object.fromEntries(next === undefined ? others : [...others, [name, next]]);
}
