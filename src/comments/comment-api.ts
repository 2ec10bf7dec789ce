/** A comment that the identity of the token wrote. */
export interface OwnComment {
  readonly id: string;
  readonly body: string;
  /** Its page on the web; empty if unknown. */
  readonly url: string;
}

/** The comments of one pull request, as a platform has them. */
export interface CommentApi {
  /** The comments of the token's own identity, the oldest first. Comments of anyone else are not in it, whatever their text. */
  readonly own: () => Promise<readonly OwnComment[]>;
  readonly create: (body: string) => Promise<OwnComment>;
  readonly update: (comment: OwnComment, body: string) => Promise<OwnComment>;
  /** The commit at the head of the pull request; undefined if the token may write comments, but not read that. */
  readonly head: () => Promise<string | undefined>;
}

/** A pull request, as an API names it. */
export interface PullRequestName {
  /** `owner/name`; on GitLab the id of the project. */
  readonly project: string;
  readonly number: number;
  /** Its page on the web, where the API does not return it. */
  readonly webUrl?: string;
}
