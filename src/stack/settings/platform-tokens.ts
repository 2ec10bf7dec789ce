/** The variables of a pipeline that may hold a token for the API of its platform. No manifest may read what they hold. */
export const platformTokens: readonly string[] = [
  'GITHUB_TOKEN',
  'GH_TOKEN',
  'GITLAB_TOKEN',
  'CI_JOB_TOKEN',
  'GITEA_TOKEN',
  'FORGEJO_TOKEN',
];
