/** The overall health; colour and icon follow from it. */
export type Tone = 'well' | 'busy' | 'asks' | 'bad' | 'quiet';

const tones = {
  'rule-broken': 'bad',
  exposed: 'bad',
  'not-watched': 'bad',
  'access-denied': 'bad',
  'account-unreadable': 'bad',
  'state-unusable': 'bad',
  'manifests-unreadable': 'bad',
  'invalid-manifests': 'bad',
  refused: 'bad',
  failed: 'bad',
  error: 'bad',
  approval: 'asks',
  protected: 'asks',
  'operator-policy': 'asks',
  'contains-unmanaged': 'asks',
  manual: 'asks',
  unresolved: 'asks',
  'drift-conflict': 'asks',
  applying: 'busy',
  'out-of-sync': 'busy',
  refreshing: 'busy',
  starting: 'busy',
  paused: 'quiet',
  standby: 'quiet',
  elsewhere: 'quiet',
  stopping: 'quiet',
  'in-sync': 'well',
} as const satisfies Readonly<Record<string, Tone>>;

/** What the most important fact about a stack is. */
export type Cause = keyof typeof tones;

/** All causes, the worst first. */
export const causes = Object.keys(tones) as readonly Cause[];

/** The tone of each cause. */
export const toneOf: Readonly<Record<Cause, Tone>> = tones;

/** What stacks have in common that have one cause: `3 stacks: API key refused`. */
export const causeWords: Readonly<Record<Cause, string>> = {
  'rule-broken': 'access rule broken',
  exposed: 'publicly exposed URLs',
  'not-watched': 'stack cannot be watched',
  'access-denied': 'API key refused',
  'account-unreadable': 'account cannot be read',
  'state-unusable': 'state cannot be used',
  'manifests-unreadable': 'manifests cannot be read',
  'invalid-manifests': 'invalid manifests',
  refused: 'change refused by the service',
  failed: 'change failed, sluice retries',
  error: 'error',
  approval: 'change that requires approval',
  protected: 'change blocked by deletion protection',
  'operator-policy': 'change blocked by the operator policy',
  'contains-unmanaged': 'change blocked by unmanaged resources inside the resource',
  manual: 'change that requires a manual apply',
  unresolved: 'outcome of a creation unknown',
  'drift-conflict': 'drift conflict',
  applying: 'applying',
  'out-of-sync': 'changes about to be applied',
  refreshing: 'refreshing',
  starting: 'starting',
  paused: 'paused',
  standby: 'standby, another process is the leader',
  elsewhere: 'watched by another replica',
  stopping: 'stopping',
  'in-sync': 'in sync',
};
