import * as z from 'zod';
import { setting } from './setting-forms.ts';
import { variableTypes, type Variable } from '../variables/variables.ts';
import type { Written } from '../read/written.ts';

const text = z.string().min(1, 'must not be empty');
const scalar = z.union([z.string(), z.number(), z.boolean()]);
const source = z.union([
  z.strictObject({
    from_env: setting(
      text,
      'Name of the environment variable that contains the value; plans do not show the value.',
      'CLIENT_SECRET',
    ),
  }),
  z.strictObject({
    from_file: setting(
      text,
      'Path of the file that contains the value, relative to the directory of sluice.yaml; plans do not show the value.',
      'files/policy.yaml',
    ),
  }),
  z.strictObject({
    template: setting(z.string(), 'A string that contains other variables as ${var.NAME}.', 'shop.${var.domain}'),
  }),
]);
const value = z.union([scalar, z.array(scalar), source]);

const declaration = z.strictObject({
  type: setting(z.enum(variableTypes), 'Type of the value of the variable.'),
  default: setting(
    value.exactOptional(),
    'Value of the variable if no other value is given with --var or SLUICE_VAR_NAME.',
    'shop.example.com',
  ),
  description: setting(text.exactOptional(), 'Purpose of the variable.', 'Host of the shop'),
});

const name = /^[a-z][a-z0-9_]{0,62}$/;
const mostVariables = 500;

/** The variables of a stack: each a value, or a type with a default. */
export const variablesSchema = z
  .record(z.string(), z.union([value, declaration]))
  .refine(
    (variables) => Object.keys(variables).every((one) => name.test(one)),
    'must have names of lower-case letters, digits and _, beginning with a letter',
  )
  .refine(
    (variables) => Object.keys(variables).length <= mostVariables,
    `must have at most ${String(mostVariables)} variables`,
  );

/** The variables that a stack file declares. */
export function declaredVariables(settings: z.infer<typeof variablesSchema>): ReadonlyMap<string, Variable> {
  return new Map(Object.entries(settings).map(([one, written]) => [one, declared(written)]));
}

function declared(written: z.infer<typeof variablesSchema>[string]): Variable {
  if (typeof written !== 'object' || Array.isArray(written) || !('type' in written))
    return { type: typeOf(written), value: written };
  return { type: written.type, ...(written.default === undefined ? {} : { value: written.default }) };
}

/** The type of a value; one that comes from elsewhere, or is made of others, is a text. */
export function typeOf(value: Written): Variable['type'] {
  if (Array.isArray(value)) return 'list';
  return typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'string';
}
