/** A request was recorded, and no watch of this machine has taken it up. */
export const noWatchHere = 'No watch of this stack responds on this machine.';

/** What to do if no watch runs anywhere. */
export const startOne = 'If no watch runs, start one with `sluice watch`.';
