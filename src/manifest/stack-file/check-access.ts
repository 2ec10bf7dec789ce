import { didYouMean } from '../../diagnostics/did-you-mean.ts';
import type { Path } from '../../kinds/value.ts';
import type { Problems } from '../check/problems.ts';
import type { Origin } from '../read/origin.ts';
import type { AccessSettings } from './access-schema.ts';

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
