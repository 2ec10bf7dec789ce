import fc from 'fast-check';
import { stringify } from 'yaml';
import { kinds } from '../../src/kinds/index.ts';
import { anyEditedStack } from '../generators/edits.ts';
import type { Item, WrittenObject } from '../generators/item.ts';
import { diceOf, type Dice } from './dice.ts';
import { lootOf, type Loot } from './loot.ts';
import { extras, poisoned } from './poison.ts';
import { settingsOf, type NamesByKind } from './settings.ts';

/** A pull request, and a second one on top of it, with the machine that plans and applies them. */
export interface Attack {
  readonly seed: number;
  readonly dice: Dice;
  readonly loot: Loot;
  readonly env: Readonly<Record<string, string>>;
  /** Text by path from the stack's directory, as the first and as the second pull request leave it. */
  readonly files: readonly Readonly<Record<string, string>>[];
  /** Command lines for each of the two. */
  readonly lines: readonly (readonly string[])[];
  /** Whether requests may be sent at all. */
  readonly isAllowed: boolean;
}

const stacks = anyEditedStack(kinds, { maxEdits: 3 });

/** The attack of a seed: always the same. */
export function attackOf(seed: number): Attack {
  const dice = diceOf(seed);
  const loot = lootOf(dice);
  const [stack] = fc.sample(stacks, { seed, numRuns: 1 });
  if (stack === undefined) throw new Error('no stack was drawn');
  const settings = settingsOf(loot, dice, namesIn(stack.before));
  const boldness = dice.odds(0.6) ? 'valid' : 'refusable';
  const texts = [stack.before, stack.after].map((items) => {
    const documents = [...poisoned(items, loot, dice, boldness), ...(boldness === 'valid' ? [] : extras(loot, dice))];
    return { 'sluice.yaml': stringify(settings.file), 'manifests/all.yaml': textOf(documents, loot, dice) };
  });
  return {
    seed,
    dice,
    loot,
    env: { CI: 'true', SLUICE_LOG: 'debug', GITHUB_STEP_SUMMARY: 'summary.md', ...loot.env, ...settings.env },
    files: texts.map((files) => ({ ...loot.files, ...files })),
    lines: [firstLines(dice), secondLines(dice)],
    isAllowed: settings.isAllowed,
  };
}

function namesIn(items: readonly Item[]): NamesByKind {
  const byKind: Record<string, string[]> = {};
  for (const { kind, name } of items) if (name !== undefined) (byKind[kind] ??= []).push(name);
  return byKind;
}

/** Documents as YAML, in one attack of twenty with a mistake beside a secret. */
function textOf(documents: readonly WrittenObject[], loot: Loot, dice: Dice): string {
  const text = documents
    .map((document) => stringify(document, { lineWidth: 0, aliasDuplicateObjects: false }))
    .join('---\n');
  return dice.odds(0.05) ? `${text}---\n${dice.one(['a: [', 'b: !x ', 'c: "'])}${loot.literal()}\n` : text;
}

const validations = ['validate', 'validate --format sarif', 'validate --github-annotations', 'validate --format json'];
const plans = [
  'plan --requests',
  'plan --format json --requests',
  'plan --format markdown',
  'plan --github-summary --github-annotations --gitlab-report gitlab.json',
  'plan --log-level debug --detailed-exitcode',
];
const readings = [
  'state list',
  'state list --format json',
  'output',
  'output --format json',
  'export',
  'export --out exported --overwrite',
  'get HTTPSEdge -o yaml',
  'get ReservedAddr',
  'explain HTTPSEdgeRoute',
  'endpoints list',
  'sessions list',
  'show saved.json',
  'show saved.json --format json',
  'state rebuild',
];
const applies = [
  'apply --auto-approve --allow OPENS_ACCESS --events events.jsonl',
  'apply --format json --auto-approve --allow OPENS_ACCESS',
];

function firstLines(dice: Dice): string[] {
  const saved = [
    'plan --out saved.json --allow OPENS_ACCESS',
    dice.one(['apply saved.json', 'show saved.json', 'show saved.json --format json']),
  ];
  return [
    dice.one(validations),
    dice.one(plans),
    ...(dice.odds(0.5) ? saved : []),
    dice.one(applies),
    dice.one(readings),
  ];
}

function secondLines(dice: Dice): string[] {
  return [
    ...dice.some(plans, 1),
    dice.one([...applies, 'destroy --auto-approve --format json']),
    ...dice.some(readings, 1),
    dice.one(plans),
  ];
}
