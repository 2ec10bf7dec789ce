import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { openReplicaStore } from '../../stack/open-replica-store.ts';
import type { StackContext } from '../../stack/stack-context.ts';
import { machineTime } from '../../state/lease/lease-time.ts';
import { operatorFile } from '../operator-file.ts';
import type { ReplicaOptions } from './run-replica.ts';

/** Opens what the replicas of a fleet share, as the operator names it in a file outside of the fleet's directory. */
export async function openReplicas(
  context: StackContext,
  dir: string,
  path: string,
): Promise<Pick<ReplicaOptions, 'store' | 'timing' | 'time' | 'newId'>> {
  const file = operatorFile({ flag: '--replicas', path, access: 'change' }, { cwd: context.io.cwd, dir });
  const name = hostname()
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .slice(0, 80);
  const newId = (): string => `${name}-${randomBytes(4).toString('hex')}`;
  return { ...(await openReplicaStore(context, dir, file)), time: machineTime, newId };
}
