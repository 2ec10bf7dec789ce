/** Why sluice leaves a field as the service has it: `lifecycle.ignore` lists it, it is not set and its default is unknown, the service does not clear it, or the API profile does not have it. */
export const unmanagedReasons = ['ignored', 'unknown-default', 'not-cleared', 'not-in-profile'] as const;

/** One of `unmanagedReasons`. */
export type UnmanagedReason = (typeof unmanagedReasons)[number];

/** Unmanaged fields by JSON pointer. */
export type UnmanagedFields = Readonly<Record<string, UnmanagedReason>>;
