/** What to do while a store that several machines share is unavailable. */
export const outageHints = {
  hint: 'run the command again once the store is available; sluice finds created resources by their ownership markers',
  hintInWatch: 'sluice retries automatically and finds created resources by their ownership markers',
} as const;
