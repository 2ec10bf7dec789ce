import type { SourceLocation } from '../../diagnostics/diagnostic.ts';
import {
  requirements,
  type AccessException,
  type AccessRules,
  type Requirement,
  type RuleSource,
} from '../../model/exposure/access-rules.ts';
import type { Access, Method } from '../exposure/access.ts';
import { publicList } from '../exposure/public-list.ts';
import type { RequestPattern } from '../routing/request-patterns.ts';
import type { RequestClass } from '../routing/routing-model.ts';
import type { PlanInput } from '../input.ts';
import { satisfies } from './satisfies.ts';

/** The name of the rule that `access.public` stands for: everything that it does not list requires something. */
export const publicRule = 'public';

/** A rule in the form in which it is checked. */
export interface CheckedRule {
  readonly name: string;
  readonly source: RuleSource;
  readonly strict: boolean;
  /** The patterns of its URLs, which distinguish request classes. */
  readonly patterns: readonly RequestPattern[];
  /** One method of each sort that it applies to. */
  readonly methods: readonly string[];
  readonly exceptions: readonly AccessException[];
  /** Whether it applies to requests as they are received: at the first by where they arrive. */
  readonly appliesTo: (received: readonly [RequestClass, ...RequestClass[]]) => boolean;
  /** Where it is written, if that is known. */
  readonly placeOf: () => SourceLocation | undefined;
  /** What requests that take this way need not satisfy, although they should. */
  readonly missing: (access: Access, method: Method) => readonly Requirement[];
}

/** The rules that a plan must keep. What the repository lists as public is a hazard of plans, with a flag of its own. */
export function rulesOfPlans({ policy: { access = [] }, now }: Pick<PlanInput, 'policy' | 'now'>): CheckedRule[] {
  return checkedRules(access, now).filter(({ name, source }) => source === 'operator' || name !== publicRule);
}

/** The rules of all sources; exceptions that have ended at that time count no more. */
export function checkedRules(sets: readonly AccessRules[], now: number | undefined): CheckedRule[] {
  return sets.flatMap((set): CheckedRule[] => {
    const { source, strict } = set;
    const named = set.rules.map(({ name, urls, require, exceptMethods }): CheckedRule => {
      const exceptions = set.exceptions.filter(({ rule }) => rule === name);
      const excepted = urlList(exceptions.filter(({ until }) => !hasEnded(until, now)).map(({ url }) => url));
      const meant = urlList(urls);
      return {
        name,
        source,
        strict,
        patterns: [...meant.patterns, ...excepted.patterns],
        methods: methodsBeside(exceptMethods),
        exceptions,
        placeOf: () => set.placeOf?.(name),
        appliesTo: (received) => received.some((one) => meant.lists(one) && !excepted.lists(one)),
        missing: (access, method) => require.filter((requirement) => !satisfies(access, requirement, method)),
      };
    });
    if (set.public === undefined) return named;
    const listed = urlList(set.public);
    const open: CheckedRule = {
      name: publicRule,
      source,
      strict,
      patterns: listed.patterns,
      methods: ['GET'],
      exceptions: [],
      placeOf: () => set.placeOf?.(publicRule),
      appliesTo: ([received]) => !listed.lists(received),
      missing: (access, method) =>
        requirements.some((requirement) => satisfies(access, requirement, method)) ? [] : ['authentication'],
    };
    return [open, ...named];
  });
}

/** Whether the last day of an exception is over. Without a time, it is not. */
export function hasEnded(until: string, now: number | undefined): boolean {
  return now !== undefined && now >= Date.parse(`${until}T00:00:00Z`) + 86_400_000;
}

function urlList(urls: readonly string[]): NonNullable<ReturnType<typeof publicList>> {
  return publicList(urls) ?? { patterns: [], lists: () => false };
}

const common = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'];

function methodsBeside(excepted: readonly string[]): string[] {
  const any = common.find((method) => !excepted.includes(method));
  return [...(any === undefined ? [] : [any]), ...(excepted.includes('OPTIONS') ? [] : ['OPTIONS'])];
}
