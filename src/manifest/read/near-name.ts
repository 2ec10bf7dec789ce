import { didYouMean } from '../../diagnostics/did-you-mean.ts';
import { limits } from './limits.ts';

/** The hint to the name that was probably meant, among so many of those in manifests. */
export function nearName(written: string, names: Iterable<string>): string | undefined {
  return didYouMean(written, [...names].slice(0, limits.candidates));
}
