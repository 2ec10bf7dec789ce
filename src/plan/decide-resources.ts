import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Account } from '../model/actual.ts';
import type { Address } from '../model/address.ts';
import { mapSliced, type Sliced } from '../model/sliced.ts';
import { decide, type Decision } from './decide.ts';
import type { Match, PlanInput } from './input.ts';
import { matchResources } from './match-resources.ts';
import { withOutsideMasked } from './outside.ts';
import { withMaskedSecrets } from './warnings/masked-secrets.ts';

/** What a plan decides about each resource. */
export interface DecidedResources {
  /** What it is decided from: without what the run leaves alone, and with adopted resources as its own. */
  readonly input: PlanInput;
  readonly decisions: ReadonlyMap<Address, Decision>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Decides what has to change. */
export function* decideResources(whole: PlanInput): Sliced<DecidedResources> {
  const given = withoutLeft(whole);
  const { pairs: found, diagnostics } = yield* matchResources(given);
  const desired = new Map(whole.desired.resources.map(({ address, spec }) => [address, spec]));
  const pairs = yield* mapSliced(found, (pair) =>
    withOutsideMasked(withMaskedSecrets(pair, given.digest), (address) => desired.get(address)),
  );
  const input = { ...given, account: withoutAdopted(given.account, found) };
  return { input, decisions: yield* decide(pairs, input), diagnostics };
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
