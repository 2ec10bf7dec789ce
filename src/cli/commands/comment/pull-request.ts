import { readSafely } from '../../../files/safe-file.ts';
import { SluiceError } from '../../../diagnostics/errors.ts';
import { fieldIn } from '../../../comments/comment-fields.ts';
import type { PullRequestName } from '../../../comments/comment-api.ts';
import { credential } from '../../../stack/settings/credential.ts';
import type { Io } from '../../io.ts';
import type { CommentPlatform } from './comment-platforms.ts';

/** The pull request of a pipeline, and how the API of its platform is reached. */
export interface PullRequest extends PullRequestName {
  readonly platform: CommentPlatform;
  readonly apiUrl: string;
  readonly apiUrlFrom: string;
  readonly token: string;
  /** The head of the pull request. */
  readonly commit: string | undefined;
}

type Variables = Pick<Io, 'env' | 'cwd'>;

// The largest event that GitHub describes to a workflow.
const eventBytes = 32 * 1024 * 1024;

/** The pull request that a pipeline runs for, from the variables of its platform alone. Throws what is missing. */
export function pullRequestOf(io: Variables, platform: CommentPlatform, number: number | undefined): PullRequest {
  return platform === 'gitlab' ? onGitlab(io, number) : onGithub(io, platform, number);
}

/** Gitea and Forgejo set the variables of GitHub. */
function onGithub(io: Variables, platform: 'github' | 'gitea', given: number | undefined): PullRequest {
  const { env } = io;
  const event = eventIn(env['GITHUB_EVENT_PATH']);
  const pull = pullIn(event);
  const [, inRef] = /^refs\/pull\/(\d+)\//.exec(env['GITHUB_REF'] ?? '') ?? [];
  const number = given ?? pull.number ?? (inRef === undefined ? undefined : Number(inRef));
  const tokens =
    platform === 'github' ? ['GITHUB_TOKEN', 'GH_TOKEN'] : ['GITEA_TOKEN', 'FORGEJO_TOKEN', 'GITHUB_TOKEN'];
  return {
    platform,
    apiUrl: required(
      env,
      'GITHUB_API_URL',
      `such as ${platform === 'github' ? 'https://api.github.com' : 'https://git.example.com/api/v1'}`,
    ),
    apiUrlFrom: 'GITHUB_API_URL',
    project: required(env, 'GITHUB_REPOSITORY', 'such as owner/name'),
    number: requiredNumber(number, 'this pipeline does not run for a pull request'),
    token: tokenIn(io, tokens, 'a token that may write comments on pull requests'),
    commit: pull.commit ?? set(env['GITHUB_SHA']),
  };
}

function onGitlab(io: Variables, given: number | undefined): PullRequest {
  const { env } = io;
  const inVariable = set(env['CI_MERGE_REQUEST_IID']);
  const number = requiredNumber(
    given ?? (inVariable === undefined ? undefined : Number(inVariable)),
    'this pipeline is not a merge request pipeline',
  );
  // A pipeline of a fork runs in the fork; the merge request is in the project it is for.
  const project = set(env['CI_MERGE_REQUEST_PROJECT_ID']) ?? required(env, 'CI_PROJECT_ID', 'the id of the project');
  const site = set(env['CI_MERGE_REQUEST_PROJECT_URL']) ?? set(env['CI_PROJECT_URL']);
  return {
    platform: 'gitlab',
    apiUrl: required(env, 'CI_API_V4_URL', 'such as https://gitlab.com/api/v4'),
    apiUrlFrom: 'CI_API_V4_URL',
    project,
    number,
    ...(site === undefined ? {} : { webUrl: `${site}/-/merge_requests/${String(number)}` }),
    token: tokenIn(
      io,
      ['GITLAB_TOKEN'],
      'a project access token with the scope api; CI_JOB_TOKEN may not write comments',
    ),
    commit: set(env['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA']) ?? set(env['CI_COMMIT_SHA']),
  };
}

interface Pull {
  readonly number: number | undefined;
  readonly commit: string | undefined;
}

/** The pull request in an event: a pull request, a comment on one, or a workflow that ran for exactly one. */
function pullIn(event: unknown): Pull {
  const issue = fieldIn(event, 'issue', 'pull_request') === undefined ? undefined : fieldIn(event, 'issue');
  const ofRun = fieldIn(event, 'workflow_run', 'pull_requests');
  const run: unknown = Array.isArray(ofRun) && ofRun.length === 1 ? ofRun[0] : undefined;
  const found = [fieldIn(event, 'pull_request'), issue, run].find((one) => typeof fieldIn(one, 'number') === 'number');
  const commit = fieldIn(found, 'head', 'sha');
  return {
    number: fieldIn(found, 'number') as number | undefined,
    commit: typeof commit === 'string' ? commit : undefined,
  };
}

function eventIn(path: string | undefined): unknown {
  const read = path === undefined || path === '' ? undefined : readSafely(path, eventBytes);
  if (read === undefined || !('text' in read)) return undefined;
  try {
    return JSON.parse(read.text) as unknown;
  } catch {
    return undefined;
  }
}

function tokenIn(io: Variables, names: readonly string[], what: string): string {
  const token = names.map((name) => credential(name, io)).find((text) => text !== undefined);
  if (token !== undefined) return token;
  throw notConfigured(
    `${names.join(' and ')} ${names.length > 1 ? 'are' : 'is'} not set`,
    `set ${names[0] ?? ''} to ${what}`,
  );
}

function required(env: Io['env'], name: string, example: string): string {
  const text = set(env[name]);
  if (text === undefined)
    throw notConfigured(`${name} is not set`, `run the command in a pipeline, or set ${name}, ${example}`);
  return text;
}

function requiredNumber(number: number | undefined, problem: string): number {
  if (number !== undefined && Number.isSafeInteger(number) && number > 0) return number;
  throw notConfigured(problem, 'run the command in the pipeline of a pull request, or pass --pull-request NUMBER');
}

function notConfigured(message: string, hint: string): SluiceError {
  return new SluiceError('NO_PULL_REQUEST', message, { hint });
}

function set(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
