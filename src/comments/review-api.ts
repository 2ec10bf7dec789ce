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
  readonly author: string;
}

/** An approval that still stands, by a user who may write to the repository. */
export interface Approval {
  readonly by: string;
  /** In milliseconds since 1970; NaN if the platform does not report it. */
  readonly at: number;
  /** The commit that was approved; undefined if the platform does not report it. */
  readonly commit: string | undefined;
}

/** What a platform knows about the review of a commit. Users are named by ids that nobody can choose. */
export interface ReviewApi {
  readonly setStatus: (commit: string, status: DigestStatus) => Promise<void>;
  /** The id of the user that the token belongs to. */
  readonly identity: () => Promise<string>;
  /** The statuses of a name: who set them, when, and their text. */
  readonly statuses: (
    commit: string,
    name: string,
  ) => Promise<readonly { readonly by: string; readonly at: number; readonly text: string }[]>;
  /** The pull requests whose merge into a branch made a commit. */
  readonly mergedInto: (branch: string, commit: string) => Promise<readonly MergedPull[]>;
  readonly approvals: (number: number) => Promise<readonly Approval[]>;
}
