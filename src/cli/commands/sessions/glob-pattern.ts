/** Matches a whole text against any of the patterns, ignoring case; `*` matches any text. Without patterns everything matches. */
export function anyOf(wanted: readonly string[] | undefined): (text: string) => boolean {
  if (wanted === undefined) return () => true;
  const patterns = wanted.map(pattern);
  return (text) => patterns.some((like) => like.test(text));
}

function pattern(text: string): RegExp {
  const parts = text.split(/\*+/).map((part) => part.replaceAll(/[\\^$.+?()[\]{}|/]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*')}$`, 'iu');
}
