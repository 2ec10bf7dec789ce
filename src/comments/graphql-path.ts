import type { PlatformClient } from './platform-client.ts';

/** Where GitHub answers GraphQL: https://api.github.com/graphql, and https://HOST/api/graphql beside https://HOST/api/v3. */
export function graphqlPath({ prefix }: PlatformClient): string {
  return `${prefix.replace(/\/v3$/, '')}/graphql`;
}
