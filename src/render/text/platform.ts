/** Where a plan is read: each place has its own Markdown, its own limit and its own links to sources. */
export type PlatformName = 'github' | 'gitlab' | 'gitea' | 'bitbucket';

/** What a platform can do and what it takes. */
export interface Platform {
  /** The most bytes of a comment, whatever is in it. */
  readonly maxBytes: number;
  /** Knows HTML: comments, and details that fold. */
  readonly html: boolean;
  /** The path to a line of a file below a repository's URL, as segments and an anchor. */
  readonly blob: (revision: string, line: number) => { readonly before: string; readonly anchor: string };
}

/*
 * Limits: GitHub answers "maximum is 65536 characters"; GitLab documents 1,000,000 characters of a note; Gitea keeps a
 * comment in 64 KiB where its database is an older MySQL; Bitbucket wants "less than 32768 characters". Bytes are never
 * fewer than characters, so bytes below the limit always fit.
 */
/** The platforms by name. */
export const platforms: Readonly<Record<PlatformName, Platform>> = {
  github: {
    maxBytes: 65_536,
    html: true,
    blob: (revision, line) => ({ before: `blob/${revision}`, anchor: `L${String(line)}` }),
  },
  gitlab: {
    maxBytes: 1_000_000,
    html: true,
    blob: (revision, line) => ({ before: `-/blob/${revision}`, anchor: `L${String(line)}` }),
  },
  gitea: {
    maxBytes: 65_535,
    html: true,
    blob: (revision, line) => ({ before: `src/commit/${revision}`, anchor: `L${String(line)}` }),
  },
  bitbucket: {
    maxBytes: 32_767,
    html: false,
    blob: (revision, line) => ({ before: `src/${revision}`, anchor: `lines-${String(line)}` }),
  },
};
