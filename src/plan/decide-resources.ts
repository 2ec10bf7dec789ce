import { maskOutside } from '../derive/external/mask-outside.ts';
import { pointerOf } from '../derive/pointer.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { withLeaves } from '../kinds/leaves.ts';
import { OutsideValue, Secret, type SpecObject } from '../kinds/value.ts';
import type { Account } from '../model/actual.ts';
import type { Address } from '../model/address.ts';
import { mapSliced, type Sliced } from '../model/sliced.ts';
import { decide, type Decision, type Decisions } from './decide.ts';
import type { Match, PlanInput } from './input.ts';
import { matchResources } from './match-resources.ts';

/** What a plan decides about each resource. */
export interface DecidedResources {
  /** What it is decided from: without what the run leaves alone, and with adopted resources as its own. */
  readonly input: PlanInput;
  readonly decisions: Decisions;
  /** Those that are not to leave everything as it is: most plans change little, and most of what is asked is asked of these. */
  readonly changing: readonly Decision[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Decides what has to change. */
export function* decideResources(whole: PlanInput): Sliced<DecidedResources> {
  const given = withoutLeft(whole);
  const { pairs: found, diagnostics } = yield* matchResources(given);
  // Only a duplicate has no manifest of its own.
  let specs: ReadonlyMap<Address, SpecObject> | undefined;
  const specAt = (address: Address): SpecObject | undefined =>
    (specs ??= new Map(whole.desired.resources.map((one) => [one.address, one.spec]))).get(address);
  const pairs = yield* mapSliced(found, (pair) => withOutsideMasked(withMaskedSecrets(pair, given.digest), specAt));
  const input = { ...given, account: withoutAdopted(given.account, found) };
  const decisions = yield* decide(pairs, input);
  const changing = [...decisions.values()].filter(({ action }) => action !== 'none');
  return { input, decisions, changing, diagnostics };
}

/** Without what this run is to leave as it is; that it is there counts all the same. */
function withoutLeft(input: PlanInput): PlanInput {
  const { leave, desired } = input;
  if (leave === undefined || leave.size === 0) return input;
  return {
    ...input,
    desired: { ...desired, resources: desired.resources.filter(({ address }) => !leave.has(address)) },
  };
}

/** The account in which what is adopted is foreign no longer. */
function withoutAdopted(account: Account, pairs: readonly Match[]): Account {
  const adopted = new Set(pairs.flatMap(({ adopted: is, actual }) => (is === true ? [actual] : [])));
  return adopted.size === 0 ? account : { ...account, foreign: account.foreign.filter((one) => !adopted.has(one)) };
}

/** What a secret that nobody can read is seen as. */
const MASK = '********';

/**
 * What the service answered in the place of a secret that we wrote is its way of hiding it, whatever it looks like
 * (decisions/0035). It is a mask from here on, so that nothing takes it for the secret and sends it back.
 */
function withMaskedSecrets(pair: Match, digest: PlanInput['digest']): Match {
  const { actual, entry } = pair;
  const returned = entry?.returnedSecrets ?? {};
  if (actual === undefined || Object.keys(returned).length === 0) return pair;
  const spec = withLeaves(actual.spec, (leaf, path) =>
    leaf instanceof Secret && returned[pointerOf(path)] === digest(leaf.reveal()) ? new Secret(MASK) : leaf,
  ) as SpecObject;
  return { ...pair, actual: { ...actual, spec } };
}

/** A pair whose actual fields are masked where the manifest has a value from outside; where state has one, they were masked when they were read. */
function withOutsideMasked(pair: Match, desiredAt: (address: Address) => SpecObject | undefined): Match {
  const { actual, kind, desired, refsAndSecrets } = pair;
  const mayBeOutside = desired === undefined || refsAndSecrets.some((value) => value instanceof OutsideValue);
  if (actual === undefined || !mayBeOutside) return pair;
  // A duplicate of a resource holds what the resource does.
  const wanted = desired?.spec ?? desiredAt(actual.marker?.a ?? '');
  const spec = wanted === undefined ? actual.spec : maskOutside(kind.fields, actual.spec, wanted);
  return spec === actual.spec ? pair : { ...pair, actual: { ...actual, spec } };
}
