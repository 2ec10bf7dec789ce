/** The state file of a stack that names neither a file nor a store. */
export const defaultStatePath = '.sluice/state.json';
