import type { SourceLocation } from '../../diagnostics/diagnostic.ts';
import type { Path } from '../../kinds/value.ts';
import type { AccessRules, RuleSource } from '../../model/exposure/access-rules.ts';
import { present } from '../../model/present.ts';
import type { Problems } from '../check/problems.ts';
import { nearName } from '../read/near-name.ts';
import type { Origin } from '../read/written.ts';
import type { AccessSettings } from './access-schema.ts';

/** The rules of an access policy as written; undefined where it declares nothing. */
export function declaredRules(
  { public: listed, rules, exceptions, strict }: AccessSettings,
  source: RuleSource,
  placeOf: (path: Path) => SourceLocation,
): AccessRules | undefined {
  if (listed === undefined && rules.length === 0) return undefined;
  return {
    source,
    ...(listed === undefined ? {} : { public: listed }),
    rules: rules.map(({ except_methods: exceptMethods, ...rule }) => ({ ...rule, exceptMethods })),
    exceptions,
    strict,
    placeOf: (name) => {
      const index = rules.findIndex((rule) => rule.name === name);
      return placeOf(index === -1 ? ['access', 'public'] : ['access', 'rules', index]);
    },
  };
}

/** Reports what is wrong with the rules of an access policy together. */
export function checkAccess({ rules, exceptions }: AccessSettings, origin: Origin, problems: Problems): void {
  const names = new Set<string>();
  const report = (path: Path, message: string, meant?: string): void =>
    problems.at(origin, ['access', ...path], () => ({
      code: 'INVALID_SETTING',
      message,
      ...present({ hint: meant === undefined ? undefined : nearName(meant, names) }),
    }));
  for (const [index, { name }] of rules.entries()) {
    if (names.has(name)) report(['rules', index, 'name'], `\`rules\` contains the name ${name} twice`);
    names.add(name);
  }
  for (const [index, { rule }] of exceptions.entries())
    if (!names.has(rule)) report(['exceptions', index, 'rule'], `there is no access rule with the name ${rule}`, rule);
}
