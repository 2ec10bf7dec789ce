import { mayHaveHappened } from '../api/api-errors.ts';
import type { CommentApi, OwnComment } from './platform-api.ts';

/** What became of the comment of a stack. */
export interface WrittenComment {
  /** `outdated`: it is left as it is, since another commit is the head of the pull request by now. */
  readonly action: 'created' | 'updated' | 'outdated';
  readonly url: string;
  /** Further comments of the same identity for the same stack, which were left as they are. */
  readonly others: number;
}

/**
 * Updates the oldest comment of the token's own identity whose first line begins as given, or posts the first one. What is of a commit
 * that is not the head any more does not replace a comment: a reviewer of the head would read it.
 */
export async function writeComment(
  api: CommentApi,
  { firstLine, body, commit }: { firstLine: string; body: string; commit?: string | undefined },
): Promise<WrittenComment> {
  const isOfStack = (comment: OwnComment): boolean => (comment.body.split(/\r?\n/, 1)[0] ?? '').startsWith(firstLine);
  const update = async ([first, ...others]: readonly OwnComment[]): Promise<WrittenComment | undefined> => {
    if (first === undefined) return undefined;
    const head = commit === undefined ? undefined : await api.head();
    if (head !== undefined && head !== commit) return { action: 'outdated', url: first.url, others: others.length };
    const { url } = await api.update(first, body);
    return { action: 'updated', url: url === '' ? first.url : url, others: others.length };
  };
  const found = async (): Promise<readonly OwnComment[]> => (await api.own()).filter(isOfStack);
  const updated = await update(await found());
  if (updated !== undefined) return updated;
  try {
    return { action: 'created', url: (await api.create(body)).url, others: 0 };
  } catch (error) {
    // It may have been posted although its response was lost: then it is there now.
    const posted = mayHaveHappened(error) ? (await found())[0] : undefined;
    if (posted === undefined) throw error;
    return { action: 'created', url: posted.url, others: 0 };
  }
}
