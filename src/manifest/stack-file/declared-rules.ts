import type { SourceLocation } from '../../diagnostics/diagnostic.ts';
import type { Path } from '../../kinds/value.ts';
import type { AccessRules, RuleSource } from '../../model/exposure/access-rules.ts';
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
