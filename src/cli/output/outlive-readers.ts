// Error codes of a write after the reader has closed its end.
const isGone = new Set(['EPIPE', 'EIO', 'ECONNRESET']);

/** A closed reader or terminal, or a full disk, ends the output of a process but not its work: an apply is completed. */
export function outliveReaders({ stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'>): void {
  for (const stream of [stdout, stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!isGone.has(error.code ?? '')) process.once('exit', () => (process.exitCode ||= 1));
    });
}
