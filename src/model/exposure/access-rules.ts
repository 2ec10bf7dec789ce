import type { SourceLocation } from '../../diagnostics/diagnostic.ts';
import type { Address } from '../address.ts';

/** What a rule, or an expected answer, may require of requests. */
export const requirements = ['authentication', 'named_users', 'client_certificate', 'signature', 'network'] as const;

/** One of them. */
export type Requirement = (typeof requirements)[number];

/** Who sets rules: the repository of a stack, or the operator outside it. */
export type RuleSource = 'repository' | 'operator';

/** What requests to some URLs must satisfy. */
export interface AccessRule {
  readonly name: string;
  readonly urls: readonly string[];
  /** All of them. */
  readonly require: readonly Requirement[];
  /** Methods that it does not apply to. */
  readonly exceptMethods: readonly string[];
}

/** A URL that a rule does not apply to for a while. */
export interface AccessException {
  readonly rule: string;
  readonly url: string;
  readonly reason: string;
  /** The last day, `2027-01-31`, in UTC. */
  readonly until: string;
}

/** The rules of one source. Exceptions apply to the rules beside them. */
export interface AccessRules {
  readonly source: RuleSource;
  /** What may be public; undefined: not declared. */
  readonly public?: readonly string[];
  readonly rules: readonly AccessRule[];
  readonly exceptions: readonly AccessException[];
  /** What cannot be proved counts as broken. */
  readonly strict: boolean;
  /** Where a rule is written; only asked about rules that are broken. */
  readonly placeOf?: (rule: string) => SourceLocation;
}

/** Whether a rule holds for all requests. */
export type ProofResult = 'holds' | 'broken' | 'unproven';

/** A route for which a rule is broken or not proven. */
export interface RuleFinding {
  readonly verdict: Exclude<ProofResult, 'holds'>;
  /** Only between the steps of a plan: the rule holds for these requests before and after. */
  readonly temporary?: true;
  /** The route that takes the request. */
  readonly address: Address;
  /** A request that shows it: `GET https://shop.example.com/admin`; absent where none is known. */
  readonly request?: string;
  readonly missing: readonly Requirement[];
  /** What is not known. */
  readonly fact?: string;
  readonly place?: SourceLocation;
  /** The changes of a plan that cause it, or change the requests and leave it so; none: it was so before. */
  readonly causes: readonly Address[];
}

/** Whether a rule holds, and what shows that it does not. */
export interface RuleVerdict {
  readonly rule: string;
  readonly source: RuleSource;
  readonly verdict: ProofResult;
  /** In the account as it is now; absent where only manifests are known. */
  readonly now?: ProofResult;
  /** What breaks the rule in the account as it is now, like `findings`; with `strict` also what is not proven. */
  readonly breachesNow?: readonly RuleFinding[];
  /** The rule is broken, or not proven and strict. */
  readonly isBreach: boolean;
  /** A person has allowed it by name. */
  readonly isAllowed: boolean;
  /** One for each route, at most 50, the broken ones first. */
  readonly findings: readonly RuleFinding[];
  readonly omitted: number;
  readonly place?: SourceLocation;
  /** The changes of a plan that cause a breach, or leave one for requests that they change. */
  readonly causes: readonly Address[];
  /** Each by how much of its time is left; none has ended where the time is not known. */
  readonly exceptions: readonly (AccessException & { readonly ends: 'past' | 'soon' | 'later' })[];
}

/** Whether a verdict ends a command with an error: a breach that nobody has allowed. */
export function isUnallowedBreach({ isBreach, isAllowed }: RuleVerdict): boolean {
  return isBreach && !isAllowed;
}
