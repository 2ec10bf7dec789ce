import fc from 'fast-check';
import { stringify } from 'yaml';
import { kinds } from '../../src/kinds/index.ts';
import { anyEditedStack } from '../generators/edits.ts';
import type { Item, WrittenObject } from '../generators/item.ts';
import type { AttackedDatabase } from './database.ts';
import { diceOf, type Dice } from './dice.ts';
import { linesOf, linesOfSnapshots } from './lines.ts';
import { lootOf, type Loot } from './loot.ts';
import { extras, poisoned, type Boldness } from './poison.ts';
import { settingsOf, type NamesByKind } from './settings.ts';
import { withVariables } from './variables.ts';

/** What an outsider commits, and what is run then. */
export interface PullRequest {
  readonly env: Readonly<Record<string, string>>;
  /** Text by path from the stack's directory. */
  readonly files: Readonly<Record<string, string>>;
  /** Command lines; a watch lives to see the next pull request. */
  readonly lines: readonly string[];
  /** Whether requests may be sent at all. */
  readonly isAllowed: boolean;
}

/** A pull request, and a second one on top of it, with the machine that plans and applies them. */
export interface Attack {
  readonly seed: number;
  readonly dice: Dice;
  readonly loot: Loot;
  readonly turns: readonly [PullRequest, PullRequest];
}

const stacks = anyEditedStack(kinds, { maxEdits: 3 });

/** The attack of a seed: always the same, but for stacks that keep their state in the database. */
export function attackOf(seed: number, database?: AttackedDatabase): Attack {
  const dice = diceOf(seed);
  const loot = lootOf(dice, database);
  // Dice of their own, so that the attacks of a seed stay what they were.
  const more = diceOf(seed + 1_000_000);
  const [stack] = fc.sample(stacks, { seed, numRuns: 1 });
  if (stack === undefined) throw new Error('no stack was drawn');
  const isWatched = dice.odds(0.3);
  const isShared = dice.odds(0.2);
  const turn = (items: readonly Item[], isFirst: boolean): PullRequest => {
    const isRefused = dice.odds(isFirst ? 0.15 : 0.25);
    const within = { names: namesIn(items), isShared: loot.hasDatabase && isShared };
    const settings = settingsOf(loot, dice, within, isRefused ? 'refusable' : 'valid');
    const boldness = dice.odds(isFirst ? 0.15 : 0.25) ? dice.one(['greedy', 'refusable'] as const) : 'valid';
    const { documents, vars } = withVariables(
      [...poisoned(items, loot, dice, boldness), ...(boldness === 'refusable' ? extras(loot, dice) : [])],
      more,
    );
    const course = {
      isFirst,
      isWatched: isFirst && isWatched,
      isRefused: !settings.isAllowed || boldness !== 'valid',
      addresses: addressesIn(items),
    };
    return {
      env: { CI: 'true', SLUICE_LOG: 'debug', GITHUB_STEP_SUMMARY: 'summary.md', ...settings.env },
      files: {
        'sluice.yaml': stringify({ ...settings.file, vars }),
        'manifests/all.yaml': textOf(documents, loot, dice, boldness),
      },
      lines: [...linesOf(dice, course), ...linesOfSnapshots(more, loot, course)],
      isAllowed: settings.isAllowed,
    };
  };
  return { seed, dice, loot, turns: [turn(stack.before, true), turn(stack.after, false)] };
}

function namesIn(items: readonly Item[]): NamesByKind {
  const byKind: Record<string, string[]> = {};
  for (const { kind, name } of items) if (name !== undefined) (byKind[kind] ??= []).push(name);
  return byKind;
}

function addressesIn(items: readonly Item[]): string[] {
  return items.flatMap(({ kind, name, parent }) =>
    name === undefined || parent !== undefined ? [] : `${kind}/${name}`,
  );
}

/** Documents as YAML, at times with a mistake beside a secret. */
function textOf(documents: readonly WrittenObject[], loot: Loot, dice: Dice, boldness: Boldness): string {
  const text = documents
    .map((document) => stringify(document, { lineWidth: 0, aliasDuplicateObjects: false }))
    .join('---\n');
  if (boldness !== 'refusable' || !dice.odds(0.1)) return text;
  return `${text}---\n${dice.one(['a: [', 'b: !x ', 'c: "'])}${loot.literal()}\n`;
}
