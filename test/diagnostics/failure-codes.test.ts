import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codes } from '../../src/diagnostics/codes.ts';
import { failures } from '../../src/diagnostics/failure-codes.ts';
import { blockedMeanings } from '../../src/model/plan/blocked-meanings.ts';
import { hazardMeanings } from '../../src/model/plan/hazard-meanings.ts';
import { sluice } from '../cli/terminal.ts';

const explained = new Set([codes, failures, blockedMeanings, hazardMeanings].flatMap((table) => Object.keys(table)));

// Names of environment variables, and codes of the service, of platforms, of Node and of the libraries for YAML and patches.
const variables =
  /^(?:AWS|BITBUCKET|BUILD|BUILDKITE|CI|CIRCLE|CODEBUILD|FORGEJO|GH|GIT|GITEA|GITHUB|GITLAB|NODE|SLUICE|SYSTEM|TEAMCITY|XDG)_|^(?:NO_COLOR|TF_BUILD)$/;
const ofOthers = new Set([
  ...['BAD_ALIAS', 'BLOCK_AS_IMPLICIT_KEY', 'BLOCK_FOLDED', 'BLOCK_LITERAL', 'QUOTE_DOUBLE', 'QUOTE_SINGLE'],
  ...[
    'TAB_AS_INDENT',
    'TAG_RESOLVE_FAILED',
    'CERT_HAS_EXPIRED',
    'CERT_NOT_YET_VALID',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'UND_ERR_INFO',
  ],
  'UND_ERR_HEADERS_OVERFLOW',
  ...['CHANGES_REQUESTED', 'REQUEST_CHANGES', 'CLIENT_SECRET', 'DNS_ERROR', 'INVALID_API_VERSION'],
  ...['PARTIALLY_PROCESSED', 'RATE_LIMITED', 'OPERATION_FROM_UNRESOLVABLE', 'OPERATION_PATH_UNRESOLVABLE'],
]);

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const wordsIn = (file: string): string[] =>
  [...readFileSync(`src/${file}`, 'utf8').matchAll(/'([A-Z]+(?:_[A-Z0-9]+)*)'/g)].map(([, word = '']) => word);

test('every code that the sources name is explained', () => {
  const words = sources.filter((file) => !/^emulator[/\\]/.test(file)).flatMap(wordsIn);
  const named = words.filter((word) => word.includes('_') && !variables.test(word) && !ofOthers.has(word));
  expect(named.length).toBeGreaterThan(150);
  expect(named.filter((word) => !explained.has(word))).toEqual([]);
});

test('no failure is explained that the sources do not name', () => {
  const named = new Set(sources.flatMap(wordsIn));
  expect(Object.keys(failures).filter((word) => !named.has(word))).toEqual([]);
});

test('a code is explained in one table', () => {
  const keys = [codes, failures, blockedMeanings].flatMap((table) => Object.keys(table));
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});

test('the command explains a failure of the state', async () => {
  expect(await sluice('.', 'explain STATE_LOST')).toMatchObject({
    code: 0,
    out: `STATE_LOST\n  The state is missing, or older than the last written state.\n\nWhat to do:\n  Restore the state from a backup, or run \`sluice state rebuild\`, which finds resources by their\n  ownership markers.\n`,
  });
});
