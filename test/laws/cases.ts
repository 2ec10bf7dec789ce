import type { Arbitrary } from 'fast-check';
import { unsupportedNames } from '../../src/derive/check/unsupported-fields.ts';
import type { Profile } from '../../src/kinds/kind.ts';
import { kinds } from '../../src/kinds/index.ts';
import { anyEditedStack } from '../generators/edits.ts';
import type { Item } from '../generators/item.ts';
import { documentsOf, manifestText } from '../support/manifest-text.ts';
import type { ManifestFiles } from '../support/load-text.ts';

/** Both profiles, one after the other: every law holds for each. */
export const profiles = ['completed', 'documented'] as const;

/** A stack and what becomes of it. */
export interface EditedStack {
  readonly before: readonly Item[];
  readonly after: readonly Item[];
}

/** Stacks and their edits as a profile takes them: under `documented` without fields that are not described. */
export function edited(profile: Profile, options: Parameters<typeof anyEditedStack>[1] = {}): Arbitrary<EditedStack> {
  return anyEditedStack(kinds, options).map(({ before, after }) => ({
    before: inProfile(profile, before),
    after: inProfile(profile, after),
  }));
}

/** Resources without the fields that a profile does not have. */
export function inProfile(profile: Profile, items: readonly Item[]): readonly Item[] {
  return items.map((item) => {
    const without = new Set(unsupportedNames(kinds.named(item.kind)?.fields ?? {}, profile));
    return { ...item, spec: Object.fromEntries(Object.entries(item.spec).filter(([name]) => !without.has(name))) };
  });
}

/** The manifests of a stack, in one file. */
export function files(items: readonly Item[]): ManifestFiles {
  return { 'stack.yaml': manifestText(items, kinds) };
}

/** A case as a scenario, ready to be kept: a setup, and a plan to be printed for each stack. */
export function asScenario(profile: Profile, ...stacks: readonly (readonly Item[])[]): string {
  const externals = documentsOf([], kinds).length;
  const steps = stacks.map((items) => {
    const text = manifestText(items, kinds).split('---\n').slice(externals).join('---\n');
    return `\`\`\`yaml stack.yaml\n${text}\`\`\`\n\n\`\`\`plan\n\`\`\``;
  });
  const shared = `\`\`\`yaml externals.yaml\n${manifestText([], kinds)}\`\`\``;
  return [`# Found by a law`, `\`\`\`setup\nprofile: ${profile}\n\`\`\``, shared, ...steps].join('\n\n');
}
