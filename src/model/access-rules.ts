/** What a rule, or an expected answer, may require of requests. */
export const requirements = ['authentication', 'named_users', 'client_certificate', 'signature', 'network'] as const;

/** One of them. */
export type Requirement = (typeof requirements)[number];
