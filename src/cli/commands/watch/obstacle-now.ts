import { approvalObstacle, type ApprovalObstacle } from '../../../model/approval-obstacle.ts';
import { statusJsonSchema, type StatusJson } from '../../../render/status/status-json-schema.ts';
import type { Backend } from '../../../state/backend.ts';
import { askWatch } from '../../../watch/control/ask-watch.ts';
import { readOperatorRequests } from '../../../watch/operator-requests.ts';

const timeoutMs = 5_000;

/** What has to end before changes that are approved now are applied: as the watch reports; if it cannot be asked, only a pause is known. */
export async function obstacleNow(backend: Backend, now: number): Promise<ApprovalObstacle | undefined> {
  const status = await statusOf(backend).catch(() => undefined);
  if (status !== undefined) return status.approval_obstacle;
  const { pause } = await readOperatorRequests(backend.document('watch-requests')).catch(() => ({ pause: undefined }));
  const role = pause !== undefined && pause.until > now ? 'paused' : 'leader';
  return approvalObstacle({ role, failures: [] });
}

async function statusOf({ socketPath }: Backend): Promise<StatusJson | undefined> {
  if (socketPath === undefined) return undefined;
  const answer = await askWatch(socketPath, '/status', { signal: AbortSignal.timeout(timeoutMs) });
  return answer === undefined ? undefined : statusJsonSchema.parse(JSON.parse(answer));
}
