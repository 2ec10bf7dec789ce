/** PEM text as the labels and bytes of its blocks, without what stands around them; undefined where a block cannot be read. */
export function pemForm(text: string): string | undefined {
  const begun = text.split('-----BEGIN').length - 1;
  const blocks = [...text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]*)-----END \1-----/g)].map(
    ([, label = '', body = '']) => ({ label, base64: body.replaceAll(/\s/g, '') }),
  );
  const isWhole = begun > 0 && blocks.length === begun;
  if (!isWhole || !blocks.every(({ base64 }) => /^[A-Za-z0-9+/]+={0,2}$/.test(base64))) return undefined;
  return blocks.map(({ label, base64 }) => `${label} ${Buffer.from(base64, 'base64').toString('base64')}`).join('\n');
}
