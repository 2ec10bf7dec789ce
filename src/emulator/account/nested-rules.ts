import type { NestedRule, Provenance } from '../../kinds/kind.ts';
import type { SpecObject } from '../../kinds/value.ts';
import { refuse, type RefusedAnswer } from '../answer.ts';
import type { Family, Stored } from '../family.ts';
import type { EmulatorWorld } from '../world.ts';

/** Rules between parent and nested resources that a change breaks. A rule that was broken before may stay broken. */
export function brokenBetween(
  family: Family,
  resource: Stored,
  before: Stored | undefined,
  { account, families, settings }: EmulatorWorld,
): RefusedAnswer | undefined {
  const isEnforced = (since: Provenance): boolean => settings.profile === 'completed' || since === 'described';
  const broken = ({ code, since, check }: NestedRule, now: Both, then: Both | undefined): RefusedAnswer[] =>
    isEnforced(since) && (then === undefined || check(then.spec, then.parent).length === 0)
      ? check(now.spec, now.parent).map(({ message }) => refuse(400, code, `${message}.`))
      : [];
  const parent = family.within === undefined ? undefined : account.get(family.within.kind, resource.parent ?? '')?.spec;
  const own =
    parent === undefined
      ? []
      : (family.within?.rules ?? []).flatMap((rule) =>
          broken(
            rule,
            { spec: resource.spec, parent },
            before === undefined ? undefined : { spec: before.spec, parent },
          ),
        );
  const inner = [...families.values()].flatMap(({ name, within }) =>
    within?.kind !== family.name
      ? []
      : account
          .all(name, resource.id)
          .flatMap(({ spec }) =>
            within.rules.flatMap((rule) =>
              broken(
                rule,
                { spec, parent: resource.spec },
                before === undefined ? undefined : { spec, parent: before.spec },
              ),
            ),
          ),
  );
  return [...own, ...inner][0];
}

interface Both {
  readonly spec: SpecObject;
  readonly parent: SpecObject;
}
