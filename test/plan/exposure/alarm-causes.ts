/** What a hazard that is not true of a URL has been compared with. */
export interface AlarmFacts {
  /** It is true of the account as it was last applied, without drift. */
  readonly isTrueOfApplied: boolean;
  /** It is true of the account as it was applied at some time before. */
  readonly wasEverTrue: boolean;
}

/** Why a plan shows what is not so, as far as that is known. */
export const alarmCauses = {
  'drift that an earlier plan left is reported again': ({ isTrueOfApplied }: AlarmFacts) => isTrueOfApplied,
  'compared with what was applied before drift that has ended': ({ wasEverTrue }: AlarmFacts) => wasEverTrue,
} as const;

/** The first cause that explains an alarm. */
export function causeOfAlarm(facts: AlarmFacts): string | undefined {
  return Object.entries(alarmCauses).find(([, explains]) => explains(facts))?.[0];
}
