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

/** A commit status with the digest of a plan. */
export interface DigestStatus {
  /** Such as `sluice/prod/7f3a9c21`. */
  readonly name: string;
  readonly digest: string;
  /** The run of the pipeline; empty if unknown. */
  readonly url: string;
}

/** A merged pull request. */
export interface MergedPull {
  readonly number: number;
  /** The commit that was merged, and that its reviewers saw. */
  readonly head: string;
  /** Undefined if the account of the author is deleted. */
  readonly author: string | undefined;
}

/** The latest review of a user that is more than a comment. */
export interface ReviewVerdict {
  readonly by: string;
  /** The name of the user, for messages; users choose it. */
  readonly login: string;
  readonly is: 'approval' | 'objection' | 'dismissed';
  /** In milliseconds since 1970; NaN if the platform does not report it. */
  readonly at: number;
  /** The commit that was reviewed; empty if the platform does not report it. */
  readonly commit: string;
  readonly mayWrite: () => Promise<boolean>;
}

/** A status of a commit: who set it, when in milliseconds since 1970 (NaN if unknown), and its text. */
export interface ListedStatus {
  readonly by: string;
  readonly at: number;
  readonly text: string;
}

/** What a platform knows about the review of a commit. Users are named by ids that nobody can choose. */
export interface ReviewApi {
  readonly setStatus: (commit: string, status: DigestStatus) => Promise<void>;
  /** The id of the user that the token belongs to. */
  readonly identity: () => Promise<string>;
  readonly statuses: (commit: string, name: string) => Promise<readonly ListedStatus[]>;
  /** The pull requests whose merge into a branch made a commit. */
  readonly mergedInto: (branch: string, commit: string) => Promise<readonly MergedPull[]>;
  /** The latest verdict of each user; those of deleted accounts are not in it. */
  readonly verdicts: (number: number) => Promise<readonly ReviewVerdict[]>;
}
