/** Whether a text is a URL that a page may link to: of a web server, and without credentials. */
export function isPageUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '';
}
