import { markdownCode } from './markdown-text.ts';

/** The run of a pipeline that made a comment. */
export interface PipelineRun {
  /** The commit that the manifests are of. */
  readonly commit?: string | undefined;
  /** Its page on the web. */
  readonly url?: string | undefined;
}

/** The commit and the run that a comment is of, as a sentence each; empty if neither is known. */
export function runLine({ commit, url }: PipelineRun): string {
  const target = linkTarget(url);
  const parts = [
    ...(commit === undefined ? [] : [`Commit ${markdownCode(commit.slice(0, 64))}.`]),
    ...(target === undefined ? [] : [`[Pipeline run](${target}).`]),
  ];
  return parts.join(' ');
}

/** A URL in which nothing can end a link of Markdown. */
function linkTarget(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  return href.replace(/[^\w.:/?=&%#@+-]/g, (character) => encodeURIComponent(character).replace(/[!'()*~]/g, percent));
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
