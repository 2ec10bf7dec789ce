import * as z from 'zod';
import { sortDiagnostics } from '../diagnostics/diagnostic.ts';
import { InvalidInput } from '../diagnostics/errors.ts';
import { Problems } from '../manifest/check/problems.ts';
import { checkSettings } from '../manifest/settings/check-settings.ts';
import { onlyDocument, settingsVisibility } from '../manifest/settings/settings-document.ts';
import { setting } from '../manifest/stack-file/setting-forms.ts';
import { stackName, stateSettings } from '../manifest/stack-file/stack-schema.ts';
import { unsafeTiming, type LeaseTiming } from '../state/lease/lease-timing.ts';
import { requireProbed } from '../state/remote/probe-store.ts';
import type { RemoteStore } from '../state/remote/remote-store.ts';
import { openSharedStore } from '../state/shared-store.ts';
import { leaseTiming } from './settings/lease-settings.ts';
import { networkChoice } from './settings/network-settings.ts';
import { sharedStoreOptions } from './settings/shared-store-options.ts';
import type { StackContext } from './stack-context.ts';
import { UsageError } from './usage-error.ts';

/** The file of the operator that names the store which the replicas of a fleet share. */
export const replicasSchema = z.strictObject({
  version: setting(z.literal(1), 'Version of the format of this file.'),
  fleet: setting(
    stackName.default('fleet'),
    'Name of the fleet. Replicas with the same fleet name and the same store divide the stacks among them.',
    'production',
  ),
  state: setting(
    stateSettings
      .omit({ path: true })
      .refine(
        ({ postgres, s3 }) => (postgres === undefined) !== (s3 === undefined),
        'must have `postgres` or `s3`, but not both',
      ),
    'The shared store of the replicas, with the same settings as `state` in sluice.yaml.',
    { postgres: { url: { from_env: 'SLUICE_STATE_URL' } } },
  ),
});

/** Opens the store that the replicas of a fleet in `dir` share, as a file of the operator names it. Nothing is connected before `prepare`, which also probes the store. */
export async function openReplicaStore(
  context: Pick<StackContext, 'io' | 'flags'>,
  dir: string,
  path: string,
): Promise<{ readonly store: RemoteStore; readonly timing: LeaseTiming }> {
  const problems = new Problems(settingsVisibility(replicasSchema));
  const document = onlyDocument({ name: path, path, title: 'the --replicas file' }, problems);
  const settings = document && checkSettings(replicasSchema, document, problems);
  const wrong = sortDiagnostics(problems.all());
  if (wrong.length > 0 || settings === undefined) throw new InvalidInput(wrong);
  const { fleet, state } = settings;
  const timing = leaseTiming(state);
  const unsafe = unsafeTiming(timing);
  if (unsafe !== undefined) throw new UsageError(`--replicas: state.lease is unsafe: ${unsafe}`);
  const options = await sharedStoreOptions(context.io, {
    settings: { state },
    stack: { id: `fleet-${fleet}` },
    network: networkChoice({ ...context, isUnattended: true }, {}, dir),
    untrusted: [],
  });
  if (options === undefined) throw new TypeError('the store of the replicas has no settings');
  const store = await openSharedStore(options);
  const prepare = async (): Promise<void> => {
    await store.prepare();
    await requireProbed(store);
  };
  return { store: { ...store, prepare }, timing };
}
