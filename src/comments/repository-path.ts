import type { PlatformClient } from './platform-client.ts';

/** The path of a repository on GitHub and on Gitea; the project is `owner/name`. */
export function repositoryPath({ prefix }: PlatformClient, project: string): string {
  const [owner = '', name = ''] = project.split('/');
  return `${prefix}/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
}
