import type { Path } from '../../kinds/value.ts';
import type { AccessSettings } from './access-schema.ts';

/** What is wrong with the rules of an access policy together, at paths from it. */
export function accessProblems({
  rules,
  exceptions,
}: AccessSettings): { readonly path: Path; readonly message: string }[] {
  const names = rules.map(({ name }) => name);
  return [
    ...names.flatMap((name, index) =>
      names.indexOf(name) === index
        ? []
        : [{ path: ['rules', index, 'name'], message: `\`rules\` contains the name ${name} twice` }],
    ),
    ...exceptions.flatMap(({ rule }, index) =>
      names.includes(rule)
        ? []
        : [{ path: ['exceptions', index, 'rule'], message: `there is no access rule with the name ${rule}` }],
    ),
  ];
}
