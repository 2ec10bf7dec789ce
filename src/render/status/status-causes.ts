/** The overall health; colour and icon follow from it. */
export type Tone = 'well' | 'busy' | 'asks' | 'bad' | 'quiet';

// The tone of each cause, and what stacks have in common that have it: `3 stacks: API key refused`. The worst first.
const table = {
  'rule-broken': ['bad', 'access rule broken'],
  exposed: ['bad', 'publicly exposed URLs'],
  'not-watched': ['bad', 'stack cannot be watched'],
  'access-denied': ['bad', 'API key refused'],
  'account-unreadable': ['bad', 'account cannot be read'],
  'state-unusable': ['bad', 'state cannot be used'],
  'manifests-unreadable': ['bad', 'manifests cannot be read'],
  'invalid-manifests': ['bad', 'invalid manifests'],
  refused: ['bad', 'change refused by the service'],
  failed: ['bad', 'change failed, sluice retries'],
  error: ['bad', 'error'],
  approval: ['asks', 'change that requires approval'],
  protected: ['asks', 'change blocked by deletion protection'],
  'operator-policy': ['asks', 'change blocked by the operator policy'],
  'contains-unmanaged': ['asks', 'change blocked by unmanaged resources inside the resource'],
  manual: ['asks', 'change that requires a manual apply'],
  unresolved: ['asks', 'outcome of a creation unknown'],
  'drift-conflict': ['asks', 'drift conflict'],
  applying: ['busy', 'applying'],
  'out-of-sync': ['busy', 'changes about to be applied'],
  refreshing: ['busy', 'refreshing'],
  starting: ['busy', 'starting'],
  paused: ['quiet', 'paused'],
  standby: ['quiet', 'standby, another process is the leader'],
  elsewhere: ['quiet', 'watched by another replica'],
  stopping: ['quiet', 'stopping'],
  'in-sync': ['well', 'in sync'],
} as const satisfies Readonly<Record<string, readonly [Tone, string]>>;

/** What the most important fact about a stack is. */
export type Cause = keyof typeof table;

/** All causes, the worst first. */
export const causes = Object.keys(table) as readonly Cause[];

/** The tone of a cause. */
export function toneOf(cause: Cause): Tone {
  return table[cause][0];
}

/** What stacks have in common that have a cause. */
export function causeWords(cause: Cause): string {
  return table[cause][1];
}
