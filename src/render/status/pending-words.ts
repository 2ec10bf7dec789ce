import { countEach, counted } from '../../diagnostics/counted.ts';
import type { Hazard } from '../../model/plan/plan.ts';
import { pendingReasons, type DriftConflict, type PendingChange } from '../../model/status/watch-status.ts';
import { momentText } from '../text/ages.ts';
import { sluiceCommand } from './sluice-command.ts';

interface PendingReason {
  readonly one: string;
  readonly many?: string;
  readonly asks: boolean;
  /** What a person has to do, commands between backticks; none where an approval is all they need, or where they have a choice, which `manualChoices` has. */
  readonly advice?: (group: PendingGroup) => string;
}

/** Changes that are pending for one reason: the directory of their stack; where it is one, the resource, and where the manifests have it. */
type PendingGroup = Partial<Readonly<Record<'dir' | 'address' | 'source', string | undefined>>>;

const reasons: Readonly<Record<PendingChange['reason'], PendingReason>> = {
  approval: { one: 'requires approval', many: 'require approval', asks: true },
  manual: { one: 'requires a manual apply', many: 'require a manual apply', asks: true },
  protected: {
    one: 'blocked by deletion protection',
    asks: true,
    advice: () =>
      'To keep the resource, revert the change. To delete or replace the resource: restore its manifest, set `lifecycle.protect: false` in the manifest, push only this edit, and push the change again after this edit is applied.',
  },
  'operator-policy': {
    one: 'blocked by the operator policy',
    asks: true,
    advice: () => 'Ask the operator of this watch to allow the change, or revert the change.',
  },
  'contains-unmanaged': {
    one: 'blocked by unmanaged resources inside the resource',
    asks: true,
    advice: () =>
      'In the service, delete the unmanaged resources inside this resource; or import them, or revert the change.',
  },
  unresolved: {
    one: 'blocked by a creation whose outcome is unknown',
    asks: true,
    advice: ({ dir }) =>
      `Check in the service whether the resource exists. If it exists, run \`${sluiceCommand(dir, ['state', 'resolve'])} ADDRESS --id ID\`; if not, replace \`--id ID\` with \`--absent\`.`,
  },
  'plan-error': {
    one: 'blocked by a planning error',
    asks: true,
    advice: () => 'Correct the error that the message of the change describes.',
  },
  refused: {
    one: 'refused by the service',
    asks: true,
    advice: ({ address = 'the manifest', source }) =>
      `Correct ${address}${source === undefined ? '' : ` at \`${source}\``}, or what it refers to in the account. Until then, the service refuses each attempt.`,
  },
  'drift-conflict': { one: 'blocked by a drift conflict with another client', asks: false },
  retry: { one: 'to be retried', asks: false },
  'other-stack': { one: 'waits for another stack', many: 'wait for another stack', asks: false },
  dependency: { one: 'waits for another change', many: 'wait for another change', asks: false },
};

/** What a person has to do about changes that are pending for a reason; empty where that takes no words. */
export function pendingAdvice(reason: PendingChange['reason'], group: PendingGroup): string {
  return reasons[reason].advice?.(group) ?? '';
}

/** Whether a change is not applied until a person acts. What is in drift conflict is asked about by its fields. */
export function needsPerson({ reason }: Pick<PendingChange, 'reason'>): boolean {
  return reasons[reason].asks;
}

/** What a change waits for: `requires approval`, `waits for HTTPSEdge/api`, `retried at 12:08:00 UTC`. */
export function pendingText({ reason, waitsFor, until }: Pick<PendingChange, 'reason' | 'waitsFor' | 'until'>): string {
  if (reason === 'retry' && until !== undefined) return `retried at ${momentText(until).slice(11, 19)} UTC`;
  return waitsFor === undefined ? reasons[reason].one : `waits for ${waitsFor}`;
}

/** How many changes wait for the same: `3 changes require approval`. */
export function pendingCountText(reason: PendingChange['reason'], count: number): string {
  return `${counted(count, 'change')} ${pendingWords(reason, count)}`;
}

/** How many changes wait for each reason. */
export function countReasons(pending: readonly PendingChange[]): [PendingChange['reason'], number][] {
  return countEach(pendingReasons, pending, ({ reason }) => reason);
}

/** What so many changes wait for, without their number: `require approval`. */
export function pendingWords(reason: PendingChange['reason'], count = 1): string {
  const { one, many = one } = reasons[reason];
  return count === 1 ? one : many;
}

const mostUrls = 5;

/** Who still gets in where a change that restricts access is not applied yet: a sentence for each. */
export function stillOpenTexts(hazards: readonly Hazard[]): readonly string[] {
  return hazards.flatMap(({ code, temporary, urls = [], asked }) => {
    if (code !== 'RESTRICTS_ACCESS' || temporary === true || urls.length === 0 || asked === undefined) return [];
    const more = urls.length > mostUrls ? ` and ${counted(urls.length - mostUrls, 'other URL')}` : '';
    const shown = `${urls.slice(0, mostUrls).join(', ')}${more}`;
    return [
      asked.before === ''
        ? `Until the change is applied, anyone can still reach ${shown}`
        : `Until the change is applied, ${shown} still ${urls.length === 1 ? 'requires' : 'require'} only ${asked.before}`,
    ];
  });
}

/** How often sluice has repaired what something else changed back each time; an empty pointer is the whole resource. */
export function conflictSummary({ pointer, count }: Pick<DriftConflict, 'pointer' | 'count'>): string {
  const times = counted(count, 'time');
  return pointer === ''
    ? `sluice created the resource again ${times}, and something else deleted it each time`
    : `sluice repaired \`${pointer}\` ${times}, and something else changed it back each time`;
}

/** What to do about a drift conflict, with commands and names between backticks. */
export function conflictAdvice({ pointer }: Pick<DriftConflict, 'pointer'>): string {
  return pointer === ''
    ? 'Find what else deletes the resource, or remove its manifest. sluice creates the resource again once its manifest changes.'
    : 'Find what else changes the field, or add the field to `lifecycle.ignore`. sluice repairs the field again once the manifest of the resource changes.';
}
