import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quoted } from '../../diagnostics/quoted.ts';
import type { Address } from '../../model/address.ts';
import type { Desired, DesiredStack } from '../../model/resource.ts';
import { withValueAt } from '../../derive/value-at.ts';
import { matcherOf } from './matches-wildcard.ts';

/** What a plan targets: resources with matching labels, and of those the ones named. */
export interface ResourceSelection {
  /** `team=web,tier!=test,owner,!draft` */
  readonly labels?: string;
  /** Addresses, in which `*` stands for any text, unless a resource has this very address. */
  readonly targets?: readonly Address[];
  /** Addresses of resources that the manifests may no longer have. */
  readonly known?: readonly Address[];
}

/** The part of a stack that is selected. A targeted stack is not the whole, so that nothing is deleted because of it (decisions/0030). */
export function select(stack: DesiredStack, { labels, targets, known = [] }: ResourceSelection): DesiredStack {
  if (labels === undefined && targets === undefined) return stack;
  const requirements = (labels?.split(',') ?? []).map((text) => ({ text, holds: parseRequirement(text) }));
  const wrong = requirements.find(({ holds }) => holds === undefined);
  if (wrong !== undefined)
    return { ...stack, resources: [], complete: false, diagnostics: [...stack.diagnostics, invalid(wrong.text)] };
  const all = new Set([...stack.resources.map(({ address }) => address), ...known]);
  const matchers = targets?.map((target) => matcherOf(target, all));
  const resources = stack.resources.filter(
    (resource) =>
      requirements.every(({ holds }) => holds?.(resource.labels)) &&
      (matchers === undefined || matchers.some((matches) => matches(resource.address))),
  );
  const selected = new Set(resources.map(({ address }) => address));
  return { ...stack, resources: resources.map((one) => withoutUnselected(one, selected)), complete: false };
}

/** Values of resources that are not selected are those of the account, and not those that the manifests want. */
function withoutUnselected(desired: Desired, selected: ReadonlySet<Address>): Desired {
  const { references = [], spec } = desired;
  const others = references.filter(({ ref }) => !selected.has(ref.to));
  return others.length === 0
    ? desired
    : { ...desired, spec: others.reduce((all, { path, ref }) => withValueAt(all, path, ref), spec) };
}

function invalid(requirement: string): Diagnostic {
  const text = requirement.trim();
  return {
    code: 'INVALID_SELECTOR',
    severity: 'error',
    message: `the label selector is invalid: ${text === '' ? 'a requirement is empty' : `${quoted(text, 100)} is not a requirement`}`,
    hint: 'separate requirements with commas: team=web, tier!=test, owner (label exists), !draft (label does not exist)',
  };
}

type Requirement = (labels: Readonly<Record<string, string>>) => boolean;

function parseRequirement(text: string): Requirement | undefined {
  const parts = /^\s*(!?)\s*([^\s=!]+)\s*(?:(==?|!=)\s*([^\s=!]*)\s*)?$/.exec(text);
  const [, not, key, operator, value] = parts ?? [];
  if (key === undefined || (not === '!' && operator !== undefined)) return undefined;
  const labelIn = (labels: Readonly<Record<string, string>>) => (Object.hasOwn(labels, key) ? labels[key] : undefined);
  if (operator === undefined) return (labels) => (labelIn(labels) !== undefined) !== (not === '!');
  return (labels) => (labelIn(labels) === value) !== (operator === '!=');
}
