import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { collectPages } from './collect-pages.mjs';
import { repositoryMarkdown } from './repository-markdown.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

collectPages(root, fileURLToPath(new URL('../pages/', import.meta.url)));

// Documents about running sluice, in the order in which a reader needs them.
const guides = [
  'manifests',
  'plans',
  'operations',
  'state',
  'pipelines',
  'operate',
  'status-page',
  'security',
  'faults',
  'commands',
];
const others = ['library', 'emulator', 'performance', 'laws'];

export default defineConfig({
  title: 'sluice',
  description: 'The ingress of a company as YAML in git',
  // No icon: browsers would ask for one.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcDir: 'pages',
  outDir: './dist',
  rewrites: (page) => page.replace(/README\.md$/, 'index.md'),
  markdown: { config: repositoryMarkdown },
  themeConfig: {
    search: { provider: 'local' },
    outline: 'deep',
    nav: [
      { text: 'Tutorial', link: '/docs/tutorial' },
      { text: 'How to', link: '/docs/how-to/pull-requests', activeMatch: '/docs/how-to/' },
      { text: 'Reference', link: '/docs/reference/', activeMatch: '/docs/reference/' },
      { text: 'Why', link: '/decisions/', activeMatch: '/decisions/' },
    ],
    sidebar: [
      { text: 'Begin', items: [page('README.md', '/'), page('docs/install.md'), page('docs/tutorial.md')] },
      { text: 'How to', items: pagesIn('docs/how-to') },
      { text: 'Guides', items: guides.map((name) => page(`docs/${name}.md`)) },
      {
        text: 'Reference',
        items: [page('docs/reference/README.md', '/docs/reference/'), ...pagesIn('docs/reference')],
      },
      {
        text: 'More',
        collapsed: true,
        items: [...others.map((name) => page(`docs/${name}.md`)), page('CHANGELOG.md')],
      },
      { text: 'Worked examples', collapsed: true, items: pagesIn('test/scenarios') },
      {
        text: 'Why it is so',
        collapsed: true,
        items: [page('ARCHITECTURE.md'), page('CONTRIBUTING.md'), ...pagesIn('decisions')],
      },
    ],
  },
});

function pagesIn(folder) {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.md') && name !== 'README.md');
  return names.sort().map((name) => page(`${folder}/${name}`));
}

/** An entry of the sidebar, with the title of the document. */
function page(path, link = `/${path.replace(/\.md$/, '')}`) {
  const [, title = path] = /^# (.*)$/m.exec(readFileSync(join(root, path), 'utf8')) ?? [];
  return { text: title.replaceAll('`', ''), link };
}
