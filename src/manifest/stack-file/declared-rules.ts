import type { SourceLocation } from '../../diagnostics/diagnostic.ts';
import { didYouMean } from '../../diagnostics/did-you-mean.ts';
import type { Path } from '../../kinds/value.ts';
import type { AccessRules, RuleSource } from '../../model/exposure/access-rules.ts';
import type { Problems } from '../check/problems.ts';
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
    rules: rules.map(({ name, urls, require, except_methods: exceptMethods }) => ({
      name,
      urls,
      require,
      exceptMethods,
    })),
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
  const report = (path: Path, message: string, hint?: string): void =>
    problems.at(origin, ['access', ...path], {
      code: 'INVALID_SETTING',
      message,
      ...(hint === undefined ? {} : { hint }),
    });
  const names = rules.map(({ name }) => name);
  for (const [index, name] of names.entries())
    if (names.indexOf(name) !== index) report(['rules', index, 'name'], `\`rules\` contains the name ${name} twice`);
  for (const [index, { rule }] of exceptions.entries())
    if (!names.includes(rule))
      report(['exceptions', index, 'rule'], `there is no access rule with the name ${rule}`, didYouMean(rule, names));
}
