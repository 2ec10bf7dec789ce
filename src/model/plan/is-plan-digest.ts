/** Whether a text has the form of the digest of a plan. */
export function isPlanDigest(text: string): boolean {
  return /^sha256:[0-9a-f]{64}$/.test(text);
}
