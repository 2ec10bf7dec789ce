import type { Dice } from './dice.ts';
import type { Loot } from './loot.ts';

const validations = ['validate', 'validate --format sarif', 'validate --github-annotations', 'validate --format json'];
const plans = [
  'plan --requests',
  'plan --format json --requests',
  'plan --format markdown',
  'plan --github-summary --github-annotations --gitlab-report gitlab.json',
  'plan --log-level debug --detailed-exitcode',
  'plan --destroy --requests',
  'plan --destroy --format json --requests',
  'plan --drift-only',
  'plan --drift-only --format json',
  'plan --drift-only --format markdown --github-summary',
  'plan --verify --format json',
  'plan --require-verified-secrets --resend-secrets --requests',
  'plan --keep-oldest --accept-missing --rename-from shop --format yaml',
  'plan --requests --target ADDRESS',
  'library plan',
];
const applies = [
  'apply --auto-approve --allow OPENS_ACCESS --events events.jsonl',
  'apply --format json --auto-approve --allow OPENS_ACCESS',
  'apply --auto-approve --allow OPENS_ACCESS --allow EXPOSES_PUBLICLY --allow PUBLICLY_EXPOSED --allow MANY_DELETES',
  'apply --auto-approve --allow OPENS_ACCESS --require-verified-secrets --format markdown',
  'apply --auto-approve --allow OPENS_ACCESS --resend-secrets --target ADDRESS',
  'library apply',
];
const planned = ['plan --destroy --out saved.json', 'plan --out saved.json --requests --target ADDRESS'];
const ofSaved = [
  'show saved.json',
  'show saved.json --format json',
  'show saved.json --format markdown',
  'comment saved.json --required --platform gitea --pull-request 7',
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
  'render',
  'render --format json',
  'fmt',
  'fmt --check --format json',
  'exposure',
  'exposure --format json',
  'exposure --planned --format markdown',
  'trace GET https://shop.example.com/admin',
  'trace GET https://shop.example.com/admin --planned --format json',
  'endpoints list --format json',
  'endpoints list',
  'sessions list',
  'state rebuild',
  'pause --for 1h --reason night',
  'resume',
  'state lock',
  'state lock --format json',
  'state probe',
  'state probe --format json',
  'state unlock --auto-approve',
  'state show ADDRESS',
  'state show ADDRESS --format json',
  'state forget ADDRESS',
  'state resolve ADDRESS --absent',
  'import ADDRESS taken --auto-approve',
  'export --all-stacks --format json',
  'get CertificateAuthority -o json',
  'get AgentIngress --format json',
  'approve sha256:0',
  'abuse-reports create https://bad.example.com',
  'schema HTTPSEdge',
  '-C made init --state postgres --format json',
  '-C other init --example --state postgres',
  '-C other init --new-id',
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
  /** Of its resources, for commands that take one. */
  readonly addresses: readonly string[];
}

/** The command lines of a pull request. */
export function linesOf(dice: Dice, course: Course): string[] {
  const address = (): string => (course.addresses.length === 0 ? 'HTTPSEdge/none' : dice.one(course.addresses));
  return lines(dice, course).map((line) => line.replace('ADDRESS', address()));
}

const ofSnapshots = [
  'plan --snapshot snapshot.json --requests',
  'plan --snapshot snapshot.json --format json --requests',
  'plan --snapshot snapshot.json --format markdown --github-summary',
  'plan --snapshot snapshot.json --out forked.json',
  'comment forked.json --required --platform gitea --pull-request 7',
  'apply forked.json',
];

/** Some pull requests are of a fork, which plans from a snapshot, and some name variables that are none. */
export function linesOfSnapshots(dice: Dice, loot: Loot, { isWatched, isRefused }: Course): string[] {
  if (isWatched || dice.odds(0.5)) return [];
  if (isRefused) return dice.odds(0.3) ? [`validate --var pasword=${loot.literal()}`] : [];
  return ['snapshot --out snapshot.json', ...dice.some(ofSnapshots, 2), 'render --format json'];
}

function lines(dice: Dice, { isFirst, isWatched, isRefused }: Course): string[] {
  if (isRefused) return [dice.one([...validations, ...plans]), dice.one([...applies, watchLine])];
  if (isWatched) return [dice.one(plans), watchLine, ...dice.some(readings, 2)];
  if (isFirst)
    return [
      dice.one(validations),
      dice.one(plans),
      ...(dice.odds(0.4) ? saved(dice) : [dice.one(applies)]),
      ...dice.some(readings, 2),
    ];
  return [
    dice.one(plans),
    dice.odds(0.25) ? 'destroy --auto-approve --format json --allow MANY_DELETES' : dice.one(applies),
    ...dice.some(readings, 2),
    dice.one(plans),
  ];
}

/** A plan that is saved, shown and applied; most are of the whole stack. */
function saved(dice: Dice): string[] {
  return [dice.odds(0.6) ? 'plan --out saved.json --allow OPENS_ACCESS' : dice.one(planned), ...ofSaved];
}
