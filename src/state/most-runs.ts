/** How many runs are kept of a stack, and listed at most. */
export const mostRuns = 200;
