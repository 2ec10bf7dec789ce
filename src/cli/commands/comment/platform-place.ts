import { readSafely } from '../../../files/safe-file.ts';
import { SluiceError } from '../../../diagnostics/errors.ts';
import { fieldIn } from '../../../comments/comment-fields.ts';
import type { PlatformAccess } from '../../../comments/platform-client.ts';
import { credential } from '../../../stack/settings/credential.ts';
import { commentPlatforms, platformOf, type CommentPlatform } from '../../ci.ts';
import type { Context } from '../../context.ts';
import type { Io } from '../../io.ts';
import { parsedJson } from '../../../model/json-object.ts';

/** Where a pipeline runs, and how the API of its platform is reached. */
export interface PlatformPlace extends Pick<PlatformAccess, 'apiUrl' | 'apiUrlFrom' | 'token' | 'tokenFrom'> {
  readonly platform: CommentPlatform;
  /** `owner/name`; on GitLab the id of the project. */
  readonly project: string;
  /** The head of the pull request, or of the branch where there is none; undefined where the pipeline does not know it. */
  readonly head: string | undefined;
  /** The commit of the pipeline; for a pull request on GitHub a test of its merge. */
  readonly sha: string | undefined;
  /** The commit of the pipeline, if a plan in it is a plan of that: not where the pipeline runs in answer to a comment or to another pipeline. */
  readonly planned: string | undefined;
  /** It runs for a pull request that is not merged yet. */
  readonly isForPull: boolean;
  /** The branch; empty in the pipeline of a pull request. */
  readonly branch: string;
  /** The number of the pull request. */
  readonly number: number | undefined;
  /** The page of all pull requests on the web, where the API does not return that of one. */
  readonly webUrl?: string;
}

type Variables = Pick<Io, 'env' | 'cwd'>;

// The largest event that GitHub describes to a workflow.
const eventBytes = 32 * 1024 * 1024;

/** Where a pipeline runs, from the variables of its platform alone. Throws what is missing. */
export function platformPlace(io: Variables, platform: CommentPlatform): PlatformPlace {
  return platform === 'gitlab' ? onGitlab(io) : onGithub(io, platform);
}

/** Gitea and Forgejo set the variables of GitHub. */
function onGithub(io: Variables, platform: 'github' | 'gitea'): PlatformPlace {
  const { env } = io;
  const event = eventIn(env['GITHUB_EVENT_PATH']);
  const pull = pullIn(event);
  const runHead = headOfRun(event);
  const [, inRef, refOf] = /^refs\/pull\/(\d+)\/(\w*)/.exec(env['GITHUB_REF'] ?? '') ?? [];
  const sha = set(env['GITHUB_SHA']);
  // Then the commit of the pipeline is that of the default branch.
  const isAnswer = ['issue', ...earlierRuns].some((name) => fieldIn(event, name) !== undefined);
  const [, branch = ''] = /^refs\/heads\/(.+)$/.exec(env['GITHUB_REF'] ?? '') ?? [];
  const tokens =
    platform === 'github' ? ['GITHUB_TOKEN', 'GH_TOKEN'] : ['GITEA_TOKEN', 'FORGEJO_TOKEN', 'GITHUB_TOKEN'];
  return {
    platform,
    apiUrl: required(
      env,
      'GITHUB_API_URL',
      `the URL of the API, such as ${platform === 'github' ? 'https://api.github.com' : 'https://git.example.com/api/v1'}`,
    ),
    apiUrlFrom: 'GITHUB_API_URL',
    project: required(env, 'GITHUB_REPOSITORY', 'the name of the repository, such as owner/name'),
    number: pull.number ?? (inRef === undefined ? undefined : Number(inRef)),
    ...tokenIn(
      io,
      tokens,
      'a token that may write comments on pull requests, or commit statuses for `sluice publish-digest`',
    ),
    // That of `refs/pull/N/merge` is one that GitHub made to test the merge.
    head: runHead ?? pull.commit ?? (isAnswer || refOf === 'merge' ? undefined : sha),
    sha,
    planned: isAnswer ? undefined : sha,
    isForPull: inRef !== undefined || isForPull(event, pull),
    branch,
  };
}

function onGitlab(io: Variables): PlatformPlace {
  const { env } = io;
  const number = set(env['CI_MERGE_REQUEST_IID']);
  const sha = set(env['CI_COMMIT_SHA']);
  const head = set(env['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA']) ?? sha;
  // A pipeline of a fork runs in the fork; the merge request is in the project it is for.
  const project =
    set(env['CI_MERGE_REQUEST_PROJECT_ID']) ?? required(env, 'CI_PROJECT_ID', 'the id of the GitLab project');
  const site = set(env['CI_MERGE_REQUEST_PROJECT_URL']) ?? set(env['CI_PROJECT_URL']);
  return {
    platform: 'gitlab',
    apiUrl: required(env, 'CI_API_V4_URL', 'the URL of the API, such as https://gitlab.com/api/v4'),
    apiUrlFrom: 'CI_API_V4_URL',
    project,
    number: number === undefined ? undefined : Number(number),
    ...(site === undefined ? {} : { webUrl: `${site}/-/merge_requests` }),
    ...tokenIn(
      io,
      ['GITLAB_TOKEN'],
      'a project access token with the scope api; CI_JOB_TOKEN cannot write comments and statuses',
    ),
    head,
    sha,
    planned: sha,
    isForPull: number !== undefined,
    branch: set(env['CI_COMMIT_BRANCH']) ?? '',
  };
}

interface Pull {
  readonly number: number | undefined;
  readonly commit: string | undefined;
}

// What an event says of the workflow or the check after which this one runs.
const earlierRuns = ['workflow_run', 'check_run', 'check_suite'];

/** The pull request in an event: a pull request, a comment on one, or a workflow or check that ran for exactly one. */
function pullIn(event: unknown): Pull {
  const issue = fieldIn(event, 'issue', 'pull_request') === undefined ? undefined : fieldIn(event, 'issue');
  const ofRuns = earlierRuns.map((name): unknown => {
    const pulls = fieldIn(event, name, 'pull_requests');
    return Array.isArray(pulls) && pulls.length === 1 ? pulls[0] : undefined;
  });
  const found = [fieldIn(event, 'pull_request'), issue, ...ofRuns].find(
    (one) => typeof fieldIn(one, 'number') === 'number',
  );
  const commit = fieldIn(found, 'head', 'sha');
  return {
    number: fieldIn(found, 'number') as number | undefined,
    commit: typeof commit === 'string' ? commit : undefined,
  };
}

/** The head that a workflow ran for, after which this one runs: GitHub names it for a fork as well, of which it names no pull request. */
function headOfRun(event: unknown): string | undefined {
  const head = fieldIn(event, 'workflow_run', 'head_sha');
  return fieldIn(event, 'workflow_run', 'event') === 'pull_request' && typeof head === 'string' ? head : undefined;
}

/** Whether an event is of a pull request that is not merged: the branch of a workflow that ran before can also be the head of one. */
function isForPull(event: unknown, { commit }: Pull): boolean {
  const ran = fieldIn(event, 'workflow_run', 'event');
  if (typeof ran === 'string') return ran.startsWith('pull_request');
  return commit !== undefined && fieldIn(event, 'pull_request', 'merged') !== true;
}

function eventIn(path: string | undefined): unknown {
  const read = readSafely(path ?? '', eventBytes);
  return 'text' in read ? parsedJson(read.text) : undefined;
}

function tokenIn(io: Variables, names: readonly string[], what: string): Pick<PlatformPlace, 'token' | 'tokenFrom'> {
  for (const tokenFrom of names) {
    const token = credential(tokenFrom, io);
    if (token !== undefined) return { token, tokenFrom };
  }
  throw notConfigured(
    `${names.join(' and ')} ${names.length > 1 ? 'are' : 'is'} not set`,
    `set ${names[0] ?? ''} to ${what}`,
  );
}

function required(env: Io['env'], name: string, example: string): string {
  const text = set(env[name]);
  if (text === undefined)
    throw notConfigured(`${name} is not set`, `run the command in a pipeline, or set ${name} to ${example}`);
  return text;
}

/** A pipeline that lacks a variable. */
export function notConfigured(message: string, hint: string): SluiceError {
  return new SluiceError('NO_PULL_REQUEST', message, { hint });
}

function set(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** The platform as given, or the one of the pipeline. */
export function platformFor({ io: { env } }: Context, platform: CommentPlatform | undefined): CommentPlatform {
  const found = platform ?? commentPlatforms.find((name) => name === platformOf(env));
  if (found !== undefined) return found;
  throw notConfigured(
    'Bitbucket is not supported',
    'print the comment with `sluice show PLAN --format markdown`, and post the output in a separate step of the pipeline',
  );
}
