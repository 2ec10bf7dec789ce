/** The events that operators can be notified of. */
export const notificationEvents = [
  'failed',
  'recovered',
  'drifted',
  'action-required',
  'drift-conflict',
  'exposed',
  'rule-broken',
] as const;
