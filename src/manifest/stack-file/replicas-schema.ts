import * as z from 'zod';
import { setting } from './setting.ts';
import { stackName, stateSettings } from './stack-schema.ts';

/** The file of the operator that names the store which the replicas of a fleet share. */
export const replicasSchema = z.strictObject({
  version: setting(z.literal(1), 'Version of the format of this file.'),
  fleet: setting(stackName
    .default('fleet'), 'Name of the fleet: replicas with the same name in the same store divide the stacks among them.', 'production'),
  state: setting(stateSettings
    .omit({ path: true })
    .refine(
      ({ postgres, s3 }) => (postgres === undefined) !== (s3 === undefined),
      'must have `postgres` or `s3`, but not both',
    ), 'The store, with the same settings as `state` in sluice.yaml.', { postgres: { url: { from_env: 'SLUICE_STATE_URL' } } }),
});

/** The JSON Schema of the file of the replicas. */
export function jsonSchemaOfReplicas(): Readonly<Record<string, unknown>> {
  const { $schema, ...rest } = z.toJSONSchema(replicasSchema, { io: 'input' });
  return {
    $schema,
    title: 'The replicas of a fleet',
    description: 'sluice watch --fleet DIR --replicas FILE',
    ...rest,
  };
}
