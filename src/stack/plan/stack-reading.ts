import { resolve } from 'node:path';
import { SourceError } from '../../diagnostics/errors.ts';
import { loadManifests, type LoadOptions } from '../../manifest/load.ts';
import { parseDocuments } from '../../manifest/read/parse-documents.ts';
import type { SourceFile } from '../../manifest/read/source-document.ts';
import { present } from '../../model/present.ts';
import type { DesiredStack } from '../../model/resource.ts';
import { checkedOut, type Checkout } from '../git/git-head.ts';
import { hasUncommitted } from '../git/has-uncommitted.ts';
import { openRepository } from '../git/find-repository.ts';
import { withCheckedOutputs } from '../outputs/checked-outputs.ts';
import { manifestOptions } from '../settings/manifest-options.ts';
import type { StackConfig } from '../settings/stack-config.ts';
import type { StackContext } from '../stack-context.ts';

/** The manifests of a stack as one load has read them. */
export interface StackReading {
  readonly desired: DesiredStack;
  /** What was checked out before anything was read; undefined outside of git. */
  readonly checkout: Checkout | undefined;
  /** Throws if something else is checked out by now: then some files may be of one commit, and some of the other. */
  readonly mustStand: () => void;
}

/** Reads the manifests below some paths. What is wrong in them is among the diagnostics. */
export async function readStack(
  context: StackContext,
  open: StackConfig,
  options: Pick<LoadOptions, 'inputs' | 'whole' | 'missingValues' | 'stdin' | 'parse' | 'onFile'>,
): Promise<StackReading> {
  const { dir, head, stackFile } = open;
  const { parse = parseDocuments } = options;
  const own: SourceFile[] = [stackFile];
  const beside = new Set<string>();
  let known: boolean | undefined;
  const read = await loadManifests({
    ...manifestOptions(open),
    ...options,
    ...present({ onManifests: context.onManifests }),
    parse: (file) => {
      own.push(file);
      return parse(file);
    },
    onFile: (path) => {
      beside.add(path);
      options.onFile?.(path);
    },
  });
  return {
    desired: await withCheckedOutputs(read, dir, context),
    // What git could not tell is asked again: a watch keeps what it has read.
    checkout: head && { commit: head.commit, uncommitted: async () => (known ??= await uncommitted(head.commit)) },
    mustStand: () => {
      if (head === undefined) return;
      const now = checkedOut(dir)?.commit;
      if (now !== head.commit) throw moved(head.commit, now);
    },
  };

  async function uncommitted(commit: string): Promise<boolean | undefined> {
    const searched = options.inputs.flatMap((input) => (input === '-' ? [] : [resolve(dir, input)]));
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
