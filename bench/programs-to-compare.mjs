// node bench/programs-to-compare.mjs DIR: builds the program twice from the same sources, into DIR/judging as it is and into
// DIR/not-judging with a plan that orders its steps as always, but looks for no hazards: neither of access nor of any other kind.
import { join } from 'node:path';
import { buildProgram } from '../scripts/program.mjs';

const dir = process.argv[2];
const nothingFound = `
  export function* findHazards() {
    return { hazards: [], publicByPolicy: [], exposureChanges: () => [], lastAccess: { remember: {}, forget: [] } };
  }
`;
const withoutHazards = {
  name: 'a plan that looks for no hazards',
  setup: ({ onLoad }) => onLoad({ filter: /\/src\/plan\/hazards\.ts$/ }, () => ({ contents: nothingFound })),
};

await buildProgram(join(dir, 'judging'));
await buildProgram(join(dir, 'not-judging'), [withoutHazards]);
