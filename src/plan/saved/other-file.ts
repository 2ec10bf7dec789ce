/** What a file seems to be that was given in place of a saved plan; undefined where it begins like one, or like nothing known. */
export function otherFile(text: string): string | undefined {
  if (text.startsWith('{"format":"sluice-plan/')) return undefined;
  return signs.find(([sign]) => sign.test(text))?.[1];
}

// Of a manifest the kind comes first in some repositories.
const signs: readonly (readonly [RegExp, string])[] = [
  [/^\s*\{\s*"format_version"/, 'the JSON output of a command'],
  [/^\s*\{[^]*"lineage"\s*:/, 'a state file'],
  [/^["\s{]*(apiVersion|kind)["\s]*:/m, 'a manifest'],
  [/^stack\s*:/m, 'a stack file (sluice.yaml)'],
];
