import * as z from 'zod';
import { planDetails } from '../../model/plan/plan-detail.ts';
import { accessSchema } from './access-schema.ts';
import { deletionLimit, hazardList } from './stack-schema.ts';

const origin = z
  .string()
  .refine(
    (written) => URL.canParse(written) && new URL(written).origin === written.toLowerCase(),
    'must be a URL of only a scheme and a host (and a port if needed), such as https://api.example.com',
  );

/** The file of the operator: what the repository of a stack cannot loosen. */
export const operatorPolicySchema = z.strictObject({
  version: z.literal(1).describe('Version of the format of this file.'),
  access: accessSchema.prefault({}).describe('Access rules for every stack that uses this file.'),
  block: hazardList
    .default([])
    .describe(
      'Codes of hazards (dangerous effects of a change) that always block an apply; no flag and no approval allows them.',
    )
    .meta({ examples: [['LOSES_ADDRESS']] }),
  max_deletes: deletionLimit
    .optional()
    .describe(
      'The maximum number of resources that one apply may delete. If the stack sets a limit, too, the smaller one applies.',
    )
    .meta({ examples: [10, '10%'] }),
  prune: z
    .boolean()
    .default(true)
    .describe('False: `watch` deletes no resource that is missing in the manifests, even if `watch.prune` is true.')
    .meta({ examples: [false] }),
  comment: z
    .strictObject({
      detail: z
        .enum(planDetails)
        .describe(
          'The most that a comment of `sluice comment` may show, even if `--detail` asks for more: `full`, `hazards` or `counts`.',
        )
        .meta({ examples: ['hazards'] }),
    })
    .optional()
    .describe('Settings of `sluice comment`, which posts plans on pull requests.'),
  trusted_origins: z
    .array(origin)
    .optional()
    .describe(
      'Origins (scheme and host) to which sluice may send credentials. `api.base_url`, `api.proxy` and `state.s3.endpoint` in `sluice.yaml` must have one of these origins.',
    )
    .meta({ examples: [['https://api.example.com']] }),
});

/** The JSON Schema of the operator's file. */
export function jsonSchemaOfOperatorPolicy(): Readonly<Record<string, unknown>> {
  const { $schema, ...rest } = z.toJSONSchema(operatorPolicySchema, { io: 'input' });
  return { $schema, title: 'The operator policy', description: 'SLUICE_OPERATOR_POLICY', ...rest };
}
