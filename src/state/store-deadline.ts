/**
 * Ends an operation of a store that gets no answer in time; the result takes that back. A process that was stopped meanwhile
 * has the whole time again: its answer may have arrived, or its connection was half made.
 */
export function storeDeadline(ms: number, tooLate: () => void): () => void {
  let timer: NodeJS.Timeout;
  const begin = (): void => {
    const due = performance.now() + ms;
    timer = setTimeout(() => {
      if (performance.now() - due > ms / 2) begin();
      else tooLate();
    }, ms);
  };
  begin();
  return () => clearTimeout(timer);
}
