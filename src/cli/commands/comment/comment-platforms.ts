/** The platforms that comments can be posted on. */
export const commentPlatforms = ['github', 'gitlab', 'gitea'] as const;

/** One of those. */
export type CommentPlatform = (typeof commentPlatforms)[number];
