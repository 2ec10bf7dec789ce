/** Whether tests of a sample take a large one, as `npm run test:samples` asks, instead of what `npm test` has time for. */
export const takesLargeSamples = process.env['SAMPLES'] === 'large';
