/** Why sluice leaves a field as the service has it: `lifecycle.ignore` lists it, it is not set and its default is unknown, or the service does not clear it. */
export const unmanagedReasons = ['ignored', 'unknown-default', 'not-cleared'] as const;

/** One of `unmanagedReasons`. */
export type UnmanagedReason = (typeof unmanagedReasons)[number];

/** Unmanaged fields by JSON pointer. */
export type UnmanagedFields = Readonly<Record<string, UnmanagedReason>>;
