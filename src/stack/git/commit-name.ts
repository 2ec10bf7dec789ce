/** A commit as git names it: whole, or shortened to seven digits or more. */
export const commitName = /^[0-9a-f]{7,64}$/;
