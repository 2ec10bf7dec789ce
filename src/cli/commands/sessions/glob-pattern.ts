/** Whether a text is one of those wanted: in whole and without regard to case, `*` standing for anything. Nothing wanted is anything. */
export function anyOf(wanted: readonly string[] | undefined): (text: string) => boolean {
  if (wanted === undefined) return () => true;
  const patterns = wanted.map(pattern);
  return (text) => patterns.some((like) => like.test(text));
}

function pattern(text: string): RegExp {
  const parts = text.split(/\*+/).map((part) => part.replaceAll(/[\\^$.+?()[\]{}|/]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*')}$`, 'iu');
}
