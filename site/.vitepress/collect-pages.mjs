import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'docs',
  'decisions',
  'test/scenarios',
];

/** Copies the documents of the repository, as they are, to where the generator finds its packages. */
export function collectPages(root, target) {
  rmSync(target, { recursive: true, force: true });
  for (const name of documents)
    cpSync(join(root, name), join(target, name), { recursive: true, filter: (path) => !path.endsWith('.ts') });
}
