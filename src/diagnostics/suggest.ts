/** The candidate most like what was written, if any is near enough to be meant; else the only one that has it as one of its words. */
export function suggest(written: string, candidates: Iterable<string>): string | undefined {
  let best: { candidate: string; distance: number } | undefined;
  const word = written.slice(0, 64).toLowerCase();
  const withWord: string[] = [];
  for (const candidate of candidates) {
    if (candidate.toLowerCase().split('_').includes(word)) withWord.push(candidate);
    const limit = Math.max(1, Math.floor(Math.max(word.length, candidate.length) * 0.4));
    const distance = editDistance(word, candidate.toLowerCase(), limit);
    if (distance <= limit && (best === undefined || distance < best.distance)) best = { candidate, distance };
  }
  return best?.candidate ?? (withWord.length === 1 ? withWord[0] : undefined);
}

/** Insertions, deletions, replacements and swaps of neighbours between two words; more than `limit` counts as infinite. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? Infinity;
}
