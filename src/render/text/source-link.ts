import { posix } from 'node:path';
import type { SourceLocation } from '../../diagnostics/diagnostic.ts';
import { markdownCode } from './markdown-text.ts';
import { platforms, type PlatformName } from './platform.ts';

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
  const shown = markdownCode(`${file}:${String(line)}`);
  const url = repository === undefined ? undefined : urlOf(file, line, repository, platform);
  return url === undefined ? shown : `[${shown}](${url})`;
}

function urlOf(file: string, line: number, repository: Repository, platform: PlatformName): string | undefined {
  const path = posix.normalize(posix.join('/', repository.folder, file)).slice(1);
  const climbs = posix.normalize(posix.join(repository.folder, file)).startsWith('..');
  if (file === '-' || posix.isAbsolute(file) || climbs || !URL.canParse(repository.url)) return undefined;
  const base = new URL(repository.url);
  if (base.protocol !== 'https:' && base.protocol !== 'http:') return undefined;
  const { before, anchor } = platforms[platform].blob(urlEncoded(repository.revision), line);
  const repositoryPath = base.pathname.replace(/\/+$/, '').split('/').map(decodedOnce).map(urlEncoded).join('/');
  return `${base.protocol}//${base.host}${repositoryPath}/${before}/${path.split('/').map(urlEncoded).join('/')}#${anchor}`;
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
