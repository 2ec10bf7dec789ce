import * as z from 'zod';
import { stackName, stateSettings } from './stack-schema.ts';

/** The file of the operator that names the store which the replicas of a fleet share. */
export const replicasSchema = z.strictObject({
  version: z.literal(1).describe('Version of the format of this file.'),
  fleet: stackName
    .default('fleet')
    .describe('Name of the fleet. Replicas with the same fleet name and the same store divide the stacks among them.')
    .meta({ examples: ['production'] }),
  state: stateSettings
    .omit({ path: true })
    .refine(
      ({ postgres, s3 }) => (postgres === undefined) !== (s3 === undefined),
      'must have `postgres` or `s3`, but not both',
    )
    .describe('The shared store of the replicas, with the same settings as `state` in sluice.yaml.')
    .meta({ examples: [{ postgres: { url: { from_env: 'SLUICE_STATE_URL' } } }] }),
});

/** The JSON Schema of the file of the replicas. */
export function jsonSchemaOfReplicas(): Readonly<Record<string, unknown>> {
  const { $schema, ...rest } = z.toJSONSchema(replicasSchema, { io: 'input' });
  return {
    $schema,
    title: 'The file that replicas of a fleet share',
    description: 'The file for `sluice watch --fleet DIR --replicas FILE`.',
    ...rest,
  };
}
