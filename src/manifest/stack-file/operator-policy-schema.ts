import * as z from 'zod';
import { accessSchema } from './access-schema.ts';

/** The file of the operator: rules that the repository of a stack cannot loosen. */
export const operatorPolicySchema = z.strictObject({
  version: z.literal(1).describe('Version of the format of this file.'),
  access: accessSchema.prefault({}).describe('Who may reach what, in every stack that this file is used for.'),
});

/** The JSON Schema of the operator's file. */
export function jsonSchemaOfOperatorPolicy(): Readonly<Record<string, unknown>> {
  const { $schema, ...rest } = z.toJSONSchema(operatorPolicySchema, { io: 'input' });
  return { $schema, title: 'The policy of an operator', description: 'SLUICE_OPERATOR_POLICY', ...rest };
}
