import { suggest } from './suggest.ts';

/** The hint to what was probably meant, if any of the candidates is near enough. */
export function didYouMean(written: string, candidates: Iterable<string>): string | undefined {
  const near = suggest(written, candidates);
  return near === undefined ? undefined : `did you mean \`${near}\`?`;
}
