import { createHash } from 'node:crypto';
import { markdownCode } from './markdown-text.ts';
import { platforms, urlEncoded, type PlatformName } from './platform.ts';

/** The stack that a comment is about. */
export interface CommentedStack {
  readonly name: string;
  readonly id: string;
  /** The URL of its account, if that is known: stacks with one id in two accounts have a comment each. */
  readonly baseUrl?: string;
}

/** The first line of a comment, which platforms do not show: the stack, and facts for programs. */
export function hiddenLine(stack: CommentedStack, facts: Record<string, string>, platform: PlatformName): string {
  const words = Object.entries(facts).map(([name, text]) => `${name}=${wordOnly(text)}`);
  const line = [startOf(stack), ...words].join(' ');
  return platforms[platform].html ? `<!-- ${line} -->` : `[//]: # (${line})`;
}

/** What the first line of every comment of a stack begins with, on platforms that know HTML. */
export function hiddenLineStart(stack: CommentedStack): string {
  return `<!-- ${startOf(stack)} `;
}

function startOf({ name, id, baseUrl }: CommentedStack): string {
  const account = baseUrl && createHash('sha256').update(baseUrl).digest('hex').slice(0, 8);
  return `sluice stack=${wordOnly(`${name}/${id}`)}${account === undefined ? '' : ` account=${account}`}`;
}

/** A text inside a hidden comment: nothing in it can end the comment. */
function wordOnly(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString())
    .replace(/[!'()*~]/g, '')
    .replaceAll('%2F', '/')
    .replaceAll('%3A', ':')
    .replace(/-{2,}/g, '-')
    .slice(0, 200);
}

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
  return href.replace(/[^\w.:/?=&%#@+-]/g, urlEncoded);
}
