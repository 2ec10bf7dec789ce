/** What to do so that a stack no longer manages a resource that stays in the account. */
export const stopManaging =
  'set `lifecycle: {on_remove: retain}` in the manifest of the resource, run `sluice apply`, remove the manifest, and run `sluice apply` again';
