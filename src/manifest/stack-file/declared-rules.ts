import type { AccessRules, RuleSource } from '../../model/access-rules.ts';
import type { AccessSettings } from './access-schema.ts';

/** The rules of an access policy as written; undefined where it declares nothing. */
export function declaredRules(
  { public: listed, rules, exceptions, strict }: AccessSettings,
  source: RuleSource,
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
  };
}
