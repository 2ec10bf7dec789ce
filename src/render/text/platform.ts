import { posix } from 'node:path';
import type { SourceLocation } from '../../diagnostics/diagnostic.ts';
import { markdownCode } from './markdown-text.ts';

/** Where a plan is read: each place has its own Markdown, its own limit and its own links to sources. */
export type PlatformName = 'github' | 'gitlab' | 'gitea' | 'bitbucket';

/** What a platform can do and what it takes. */
export interface Platform {
  /** The most bytes of a comment, whatever is in it. */
  readonly maxBytes: number;
  /** Knows HTML: comments, and details that fold. */
  readonly html: boolean;
  /** The path below a repository's URL before a revision and a file, and what stands before a number of a line. */
  readonly source: string;
  readonly anchor: string;
}

/*
 * Limits: GitHub answers "maximum is 65536 characters"; GitLab documents 1,000,000 characters of a note; Gitea keeps a
 * comment in 64 KiB where its database is an older MySQL; Bitbucket wants "less than 32768 characters". Bytes are never
 * fewer than characters, so bytes below the limit always fit.
 */
/** The platforms by name. */
export const platforms: Readonly<Record<PlatformName, Platform>> = {
  github: { maxBytes: 65_536, html: true, source: 'blob', anchor: 'L' },
  gitlab: { maxBytes: 1_000_000, html: true, source: '-/blob', anchor: 'L' },
  gitea: { maxBytes: 65_535, html: true, source: 'src/commit', anchor: 'L' },
  bitbucket: { maxBytes: 32_767, html: false, source: 'src', anchor: 'lines-' },
};

/** Where the manifests' repository is found on the web. */
export interface Repository {
  readonly url: string;
  readonly revision: string;
  /** The stack's directory inside the repository, with forward slashes; '' where that is its root. */
  readonly folder: string;
}

/** A place in a manifest as Markdown: a link where the repository is known, code where not. */
export function sourceLink(
  { file, line }: SourceLocation,
  repository: Repository | undefined,
  platform: PlatformName,
): string {
  const shown = markdownCode(`${file}:${line}`);
  const url = repository === undefined ? undefined : urlOf(file, line, repository, platform);
  return url === undefined ? shown : `[${shown}](${url})`;
}

function urlOf(file: string, line: number, repository: Repository, platform: PlatformName): string | undefined {
  const path = posix.normalize(posix.join('/', repository.folder, file)).slice(1);
  const climbs = posix.normalize(posix.join(repository.folder, file)).startsWith('..');
  if (file === '-' || posix.isAbsolute(file) || climbs || !URL.canParse(repository.url)) return undefined;
  const base = new URL(repository.url);
  if (base.protocol !== 'https:' && base.protocol !== 'http:') return undefined;
  const { source, anchor } = platforms[platform];
  const repositoryPath = base.pathname.replace(/\/+$/, '').split('/').map(decodedOnce).map(urlEncoded).join('/');
  const inRepository = [repository.revision, ...path.split('/')].map(urlEncoded).join('/');
  return `${base.protocol}//${base.host}${repositoryPath}/${source}/${inRepository}#${anchor}${line}`;
}

function decodedOnce(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Nothing left that Markdown or HTML would read; lone surrogates, which no URL can hold, as the sign for what is unknown. */
export function urlEncoded(segment: string): string {
  return encodeURIComponent(Buffer.from(segment).toString()).replace(
    /[!'()*_~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
