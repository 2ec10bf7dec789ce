import * as z from 'zod';
import { setting } from './setting.ts';
import { planDetails } from '../../model/plan/plan-detail.ts';
import { accessSchema } from './access-schema.ts';
import { deletionLimit, hazardList } from './stack-schema.ts';

const origin = z
  .string()
  .refine(
    (written) => URL.canParse(written) && new URL(written).origin === written.toLowerCase(),
    'must be a scheme and a host, with a port if needed, such as https://api.example.com',
  );

/** The file of the operator: what the repository of a stack cannot loosen. */
export const operatorPolicySchema = z.strictObject({
  version: setting(z.literal(1), 'Version of the format of this file.'),
  access: setting(accessSchema.prefault({}), 'Access rules for every stack that uses this file.'),
  block: setting(hazardList
    .default([]), 'Hazards that always block an apply; no flag and no approval allows them.', ['LOSES_ADDRESS']),
  max_deletes: setting(deletionLimit
    .optional(), 'The maximum number of resources that one apply may delete. If the stack sets a limit, too, the smaller one applies.', 10, '10%'),
  prune: setting(z
    .boolean()
    .default(true), 'False: `watch` deletes no resource that is missing in the manifests, even if `watch.prune` is true.', false),
  comment: setting(z
    .strictObject({
      detail: setting(z
        .enum(planDetails), 'The highest level of detail of `sluice comment`; overrides a higher `--detail`.', 'hazards'),
    })
    .optional(), 'Comments on pull requests.'),
  trusted_origins: setting(z
    .array(origin)
    .optional(), 'Origins that may receive credentials; applies to `api.base_url`, `api.proxy` and `state.s3.endpoint` in `sluice.yaml`.', ['https://api.example.com']),
});

/** The JSON Schema of the operator's file. */
export function jsonSchemaOfOperatorPolicy(): Readonly<Record<string, unknown>> {
  const { $schema, ...rest } = z.toJSONSchema(operatorPolicySchema, { io: 'input' });
  return { $schema, title: 'The policy of an operator', description: 'SLUICE_OPERATOR_POLICY', ...rest };
}
