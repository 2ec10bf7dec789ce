import type { StackContext } from '../stack-context.ts';

type Env = StackContext['io']['env'];

/** Whether a pipeline runs this, as its platforms announce it. `CI` empty or `false` is no pipeline, whatever else is set. */
export function isPipeline(env: Env): boolean {
  if (env['CI'] !== undefined) return env['CI'] !== '' && env['CI'].toLowerCase() !== 'false';
  return pipelineVariables.some((name) => (env[name] ?? '') !== '');
}

// Of platforms that do not set CI: Azure Pipelines, TeamCity, AWS CodeBuild, Jenkins.
const pipelineVariables = ['TF_BUILD', 'TEAMCITY_VERSION', 'CODEBUILD_BUILD_ID', 'BUILD_NUMBER'];
