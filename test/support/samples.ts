const takesLargeSamples = process.env['SAMPLES'] === 'large';

/** How much a test of a sample tries: what `npm test` has time for, or as much as `npm run test:samples` asks. */
export function sampleSize(usual: number, large: number): number {
  return takesLargeSamples ? large : usual;
}
