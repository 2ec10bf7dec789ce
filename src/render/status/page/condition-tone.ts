import type { Condition } from '../../../model/watch-status.ts';
import type { Tone } from '../status-causes.ts';

const wrong = new Set(['InvalidManifests', 'PlanError', 'ReconciliationFailed', 'ChangeRefused', 'ActionRequired']);

/** The tone of a condition: `bad` only where something is wrong, `asks` where it is as intended and waits for a person. */
export function conditionTone({ type, status, reason }: Condition): Tone {
  if (status === 'Unknown') return reason === 'Standby' ? 'quiet' : 'busy';
  const isUsual = (type === 'Ready') === (status === 'True');
  if (type === 'Reconciling') return status === 'True' ? 'busy' : 'quiet';
  if (isUsual) return type === 'Ready' ? 'well' : 'quiet';
  return wrong.has(reason) ? 'bad' : 'asks';
}
