import type { StackContext } from '../stack-context.ts';
import { commitName } from '../git/git-head.ts';

type Env = StackContext['io']['env'];

/** The address of the pipeline job that runs this, from the variables of its platform. */
export function pipelineRunUrl(env: Env): string | undefined {
  return platforms.map((urlOf) => urlOf(env)).find((url) => url !== undefined && /^https?:\/\/\S+$/.test(url));
}

/** The commit that a pipeline has checked out, from the variables of its platform. */
export function pipelineCommit(env: Env): string | undefined {
  return commitVariables.map((name) => env[name]).find((text) => text !== undefined && commitName.test(text));
}

// GitHub, GitLab, Azure Pipelines, Jenkins, Buildkite and CircleCI.
const commitVariables = [
  'GITHUB_SHA',
  'CI_COMMIT_SHA',
  'BUILD_SOURCEVERSION',
  'GIT_COMMIT',
  'BUILDKITE_COMMIT',
  'CIRCLE_SHA1',
];

const platforms: readonly ((env: Env) => string | undefined)[] = [
  // GitHub, Gitea and Forgejo.
  (env) => joined(env, ['GITHUB_SERVER_URL', '/', 'GITHUB_REPOSITORY', '/actions/runs/', 'GITHUB_RUN_ID']),
  // GitLab.
  (env) => env['CI_JOB_URL'],
  // Azure Pipelines.
  (env) => joined(env, ['SYSTEM_COLLECTIONURI', '', 'SYSTEM_TEAMPROJECT', '/_build/results?buildId=', 'BUILD_BUILDID']),
  // Jenkins, Buildkite and CircleCI.
  (env) => env['BUILD_URL'] ?? env['BUILDKITE_BUILD_URL'] ?? env['CIRCLE_BUILD_URL'],
];

/** Variables, which must all be set, with what stands between them. */
function joined(env: Env, parts: readonly string[]): string | undefined {
  const texts = parts.map((part, n) => (n % 2 === 0 ? (env[part] ?? '') : part));
  return texts.some((text, n) => n % 2 === 0 && text === '') ? undefined : texts.join('');
}

/** Whether a pipeline runs this, as its platforms announce it. `CI` empty or `false` is no pipeline, whatever else is set. */
export function isPipeline(env: Env): boolean {
  if (env['CI'] !== undefined) return env['CI'] !== '' && env['CI'].toLowerCase() !== 'false';
  return pipelineVariables.some((name) => (env[name] ?? '') !== '');
}

// Of platforms that do not set CI: Azure Pipelines, TeamCity, AWS CodeBuild, Jenkins.
const pipelineVariables = ['TF_BUILD', 'TEAMCITY_VERSION', 'CODEBUILD_BUILD_ID', 'BUILD_NUMBER'];
