import type { FileDigest } from './file-digests.ts';

/** Reads how a stack file names its inputs, and keeps that until somebody writes to that file: every scan asks. What the names lead to may change meanwhile. */
export function keptInputs(
  read: (dir: string) => () => readonly string[],
): (dir: string, stackFile: FileDigest) => readonly string[] {
  let kept:
    | { readonly dir: string; readonly stackFile: FileDigest; readonly inputs: () => readonly string[] }
    | undefined;
  return (dir, stackFile) => {
    // The stamp was taken before the bytes are read: what is written meanwhile shows in the next one.
    const isSame =
      kept?.dir === dir && kept.stackFile.stamp === stackFile.stamp && kept.stackFile.digest === stackFile.digest;
    if (kept === undefined || !isSame) kept = { dir, stackFile, inputs: read(dir) };
    return kept.inputs();
  };
}
