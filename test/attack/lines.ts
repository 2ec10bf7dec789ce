import type { Dice } from './dice.ts';

const validations = ['validate', 'validate --format sarif', 'validate --github-annotations', 'validate --format json'];
const plans = [
  'plan --requests',
  'plan --format json --requests',
  'plan --format markdown',
  'plan --github-summary --github-annotations --gitlab-report gitlab.json',
  'plan --log-level debug --detailed-exitcode',
];
const applies = [
  'apply --auto-approve --allow OPENS_ACCESS --events events.jsonl',
  'apply --format json --auto-approve --allow OPENS_ACCESS',
];
const saved = [
  'plan --out saved.json --allow OPENS_ACCESS',
  'show saved.json',
  'show saved.json --format json',
  'apply saved.json',
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
  'endpoints list --format json',
  'endpoints list',
  'sessions list',
  'state rebuild',
  'pause --for 1h --reason night',
  'resume',
];

/** Runs until the next pull request has been committed under it. */
export const watchLine = 'watch --listen 127.0.0.1:0 --poll';

/** Which command lines are run for a pull request. */
export interface Course {
  readonly isFirst: boolean;
  /** Whether a watch runs until the next pull request. */
  readonly isWatched: boolean;
  /** Whether it is certain to be refused: then few commands say as much as many. */
  readonly isRefused: boolean;
}

/** The command lines of a pull request. */
export function linesOf(dice: Dice, { isFirst, isWatched, isRefused }: Course): string[] {
  if (isRefused) return [dice.one([...validations, ...plans]), dice.one([...applies, watchLine])];
  if (isWatched) return [dice.one(plans), watchLine, ...dice.some(readings, 2)];
  if (isFirst)
    return [
      dice.one(validations),
      dice.one(plans),
      ...(dice.odds(0.4) ? saved : [dice.one(applies)]),
      ...dice.some(readings, 2),
    ];
  return [
    dice.one(plans),
    dice.one([...applies, 'destroy --auto-approve --format json']),
    ...dice.some(readings, 2),
    dice.one(plans),
  ];
}
