import { resolve } from 'node:path';
import { SourceError } from '../../diagnostics/errors.ts';
import type { ParseFile } from '../../manifest/read/kept-documents.ts';
import { parseDocuments } from '../../manifest/read/parse-documents.ts';
import type { SourceFile } from '../../manifest/read/source-document.ts';
import { checkedOut, type Checkout } from '../git/git-head.ts';
import { hasUncommitted } from '../git/has-uncommitted.ts';
import { openRepository } from '../git/find-repository.ts';
import type { StackConfig } from '../settings/stack-config.ts';
import type { StackContext } from '../stack-context.ts';

/** One load of the manifests of a stack: which files it reads, and of which commit. */
export interface StackReading {
  /** Parses a file, and remembers it. */
  readonly parse: ParseFile;
  /** Remembers a file that a value is taken from. */
  readonly onFile: (path: string) => void;
  /** What was checked out before anything was read; undefined outside of git. */
  readonly checkout: Checkout | undefined;
  /** Throws if something else is checked out by now: then some files may be of one commit, and some of the other. */
  readonly mustStand: () => void;
}

/** Begins to read the manifests below some paths. */
export function stackReading(
  context: StackContext,
  { dir, head, stackFile }: StackConfig,
  inputs: readonly string[],
  parse: ParseFile = parseDocuments,
): StackReading {
  const own: SourceFile[] = [stackFile];
  const beside = new Set<string>();
  let found: Promise<boolean | undefined> | undefined;
  return {
    parse: (file) => {
      own.push(file);
      return parse(file);
    },
    onFile: (path) => void beside.add(path),
    checkout: head && { commit: head.commit, uncommitted: () => (found ??= uncommitted(head.commit)) },
    mustStand: () => {
      if (head === undefined) return;
      const now = checkedOut(dir)?.commit;
      if (now !== head.commit) throw moved(head.commit, now);
    },
  };

  async function uncommitted(commit: string): Promise<boolean | undefined> {
    const searched = inputs.flatMap((input) => (input === '-' ? [] : [resolve(dir, input)]));
    try {
      const repository = openRepository(context, dir);
      return repository && (await hasUncommitted(repository, commit, { own, beside, searched }));
    } catch {
      // Neither git nor the objects of a commit are needed to apply.
      return undefined;
    }
  }
}

function moved(from: string, to: string | undefined): SourceError {
  const [before, after] = [from.slice(0, 12), to === undefined ? 'no commit' : to.slice(0, 12)];
  return new SourceError(
    'CHECKOUT_MOVED',
    `the checkout moved from commit ${before} to ${after} while the stack was read`,
    {
      hint: 'no consistent set of files could be read, and nothing was changed; run the command again',
      hintInWatch: '',
    },
  );
}
