// The languages of the worked examples, which highlighters do not know.
const steps = new Set(['api', 'file', 'plan', 'setup', 'state', 'time']);

/** Documents of the repository as pages: links to files that are no pages become plain text, steps of examples plain blocks. */
export function repositoryMarkdown(markdown) {
  markdown.core.ruler.push('repository-markdown', ({ tokens }) => {
    for (const token of tokens) {
      if (token.type === 'fence' && steps.has(token.info.split(' ')[0])) token.info = 'text';
      unlink(token.children ?? []);
    }
  });
}

function unlink(tokens) {
  let isFile = false;
  for (const token of tokens) {
    if (token.type === 'link_open') isFile = leadsToFile(token.attrGet('href') ?? '');
    if (!isFile || !token.type.startsWith('link_')) continue;
    token.tag = 'span';
    token.attrs = null;
  }
}

function leadsToFile(href) {
  return !/^([a-z]+:|#)/.test(href) && !/\.md(#.*)?$/.test(href);
}
