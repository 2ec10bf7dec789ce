import { views } from '../../kinds/views.ts';
import type { Family } from '../family.ts';

/** The families that no manifest describes, as the emulator serves them. */
export const viewFamilies: readonly Family[] = views.map((view) => ({ ...view, rules: [], unique: [] }));
