import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readStackFile } from '../../../src/manifest/stack-file/stack-file.ts';
import { diagnosticsText } from '../../../src/render/diagnostics/diagnostics-text.ts';
import { temporaryFiles } from '../../support/manifests.ts';

const head = 'version: 1\nstack: {name: prod, id: 7f3a9c21}\n';

describe('a setting that is wrong', () => {
  test.each([
    ['policy: {block: [EXPOSES_PUBLIC]}', 'hint: did you mean `EXPOSES_PUBLICLY`?'],
    ['public: [a.example.com/]', 'hint: `public` belongs in `access`'],
    ['access: {max_deletes: 1}', 'hint: `max_deletes` belongs in `policy`'],
    [
      'access: {rules: [{name: a, urls: [a.example.com/], require: [signature], except: [x]}]}',
      'in `access.exceptions`',
    ],
    [
      'access: {rules: [{name: a, urls: [a.example.com/], require: [signature], exceptions: [x]}]}',
      'in `access.exceptions`',
    ],
    ['access: {rules: [{name: a, hosts: [a.example.com], require: [signature]}]}', 'hint: write the URLs in `urls`'],
    ['access: {rules: [{name: a, urls: [a.example.com/], deny: true}]}', 'hint: write the requirements in `require`'],
    ['watch: {kinds: {HTTPSedge: report}}', 'hint: did you mean `HTTPSEdge`?'],
    ['api: {base_url: "https://a.example.com/?a=b"}', 'without a password, query or fragment'],
    ['access: {allow: [a.example.com/]}', 'hint: write URLs that anyone may reach in `access.public`'],
    ['access: {deny: [a.example.com/]}', 'hint: write a rule in `access.rules`'],
    ['access: {ignore: [a.example.com/]}', 'in `access.exceptions`'],
    ['access: {exceptions: [{rule: a, urls: [b], reason: c, until: 2027-01-31}]}', 'hint: write the URL in `url`'],
    [
      'access: {exceptions: [{rule: a, url: b.example.com/, reason: c, expires: 2027-01-31}]}',
      'hint: write the last day of the exception in `until`',
    ],
    ['watch: {prune: yes}', 'hint: write true or false, without quotes'],
    ['marker: "true"', 'hint: write true or false, without quotes'],
    ['state: {bucket: b}', 'hint: `bucket` belongs in `state.s3`'],
    ['api: {state: {path: a}}', 'hint: `state` belongs at the top level'],
    ['access: {public: [https://a.example.com/x]}', 'must be a host with a path, without https://, such as'],
    ['access: {public: [a.example.com/x…]}', 'must be a host with a path, without https://, such as'],
    ['state: {path: s3://bucket/state.json}', '`state.path` must be the path of a file; set `state.s3` for a bucket'],
    ['api: {url: "https://a.example.com"}', 'hint: write the URL of the service in `base_url`'],
    ['api: {endpoint: "https://a.example.com"}', 'hint: write the URL of the service in `base_url`'],
    [
      'state: {postgres: {url: "postgresql://u:p@a/b"}}',
      'hint: write {from_env: NAME}, with the name of an environment',
    ],
    ['policy: {block: OPENS_ACCESS}', 'hint: write a list such as [a, b]'],
    ['vars: [a]', '`vars` must be a mapping'],
    [
      'patches: [{target: {kind: HTTPSEdge, name: a}, patch: [{op: set, path: /spec/a, value: 1}]}]',
      '`patches[0].patch[0].op` must be one of add, replace, test, remove, move, copy',
    ],
  ])('reports of %s what is meant', (text, messages) => {
    expect(diagnosticsText(diagnosticsOf(text))).toContain(messages);
  });

  test.each([
    ['watch: {debounce: 200ms}', '`watch.debounce` must be a duration, such as 30s or 5m'],
    ['watch: {debounce: 999999999w}', '`watch.debounce` must be a duration of at most 100 years'],
    ['watch: {debounce: 5}', '`watch.debounce` must be a duration, such as 30s or 5m'],
    ['api: {rate_limit: 120}', '`api.rate_limit` must be a number of requests per time window, such as 120/60s'],
    ['watch: {listen: 9470}', '`watch.listen` must be host:port, or false'],
    ['watch: {listen: localhost}', '`watch.listen` must be host:port, or false'],
    ['watch: {listen_probes: "0.0.0.0:65536"}', '`watch.listen_probes` must have a port of at most 65535'],
    ...['soon', '2027-02-30', '2027-13-01'].map((until): [string, string] => [
      `access: {exceptions: [{rule: a, url: b.example.com/, reason: c, until: ${until}}]}`,
      '`access.exceptions[0].until` must be a date, such as 2027-01-31',
    ]),
  ])('reports the value of %s once', (text, message) => {
    const diagnostics = diagnosticsOf(text);
    expect(diagnostics.map((one) => one.message)).toEqual([message]);
  });
});

test('a version in quotes is to be written without them', () => {
  const quoted = head.replace('version: 1', 'version: "1"');
  expect(diagnosticsText(diagnosticsOf('', quoted))).toContain('hint: write 1 without quotes');
});

function diagnosticsOf(settings: string, before = head) {
  return readStackFile(join(temporaryFiles({ 'sluice.yaml': `${before}${settings}\n` }), 'sluice.yaml')).diagnostics;
}
