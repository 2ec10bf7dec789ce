import { countEach, counted } from '../../diagnostics/counted.ts';
import type { Hazard } from '../../model/plan/plan.ts';
import { pendingReasons, type PendingChange } from '../../model/status/watch-status.ts';
import { momentText } from '../text/ages.ts';

interface PendingReason {
  readonly one: string;
  readonly many: string;
  readonly asks: boolean;
}

const always = (text: string, asks: boolean): PendingReason => ({ one: text, many: text, asks });

const reasons: Readonly<Record<PendingChange['reason'], PendingReason>> = {
  approval: { one: 'requires approval', many: 'require approval', asks: true },
  manual: { one: 'requires a manual apply', many: 'require a manual apply', asks: true },
  protected: always('blocked by deletion protection', true),
  'operator-policy': always('blocked by the operator policy', true),
  'contains-unmanaged': always('blocked by unmanaged resources inside the resource', true),
  unresolved: always('blocked by a creation whose outcome is unknown', true),
  'plan-error': always('blocked by a planning error', true),
  refused: always('refused by the service', true),
  'drift-conflict': always('blocked by a drift conflict with another client', false),
  retry: always('to be retried', false),
  'other-stack': { one: 'waits for another stack', many: 'wait for another stack', asks: false },
  dependency: { one: 'waits for another change', many: 'wait for another change', asks: false },
};

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
  return count === 1 ? reasons[reason].one : reasons[reason].many;
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
