import { safeText } from '../../diagnostics/safe-text.ts';
import { UsageError } from '../usage-error.ts';

/** Stacks in an order in which each comes after those that it depends on, otherwise as given. Stacks that are not given do not count. */
export function orderStacks(
  stacks: readonly string[],
  dependsOn: (stack: string) => readonly string[],
): readonly string[] {
  const given = new Set(stacks);
  const ordered = new Set<string>();
  for (const stack of stacks) place(stack, []);
  return [...ordered];

  function place(stack: string, above: readonly string[]): void {
    if (ordered.has(stack) || !given.has(stack)) return;
    if (above.includes(stack)) throw cycle([...above.slice(above.indexOf(stack)), stack]);
    for (const needed of dependsOn(stack)) place(needed, [...above, stack]);
    ordered.add(stack);
  }
}

function cycle(path: readonly string[]): UsageError {
  return new UsageError(
    `the stacks depend on each other: ${path.map((stack) => safeText(stack)).join(' -> ')}`,
    'remove one of these dependencies',
  );
}
