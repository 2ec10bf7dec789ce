import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findStackFile, readStackFile } from '../../../src/manifest/stack-file/stack-file.ts';
import { diagnosticsText } from '../../../src/render/diagnostics/diagnostics-text.ts';
import { loadDirectory, temporaryFiles } from '../../support/manifests.ts';

const head = 'version: 1\nstack: {name: prod, id: 7f3a9c21}\n';

describe('sluice.yaml', () => {
  test('is found upwards', () => {
    const dir = temporaryFiles({ 'sluice.yaml': head, 'manifests/deep/a.yaml': '' });
    expect(findStackFile(join(dir, 'manifests', 'deep'))).toBe(join(dir, 'sluice.yaml'));
    expect(findStackFile('/')).toBeUndefined();
  });

  test('has defaults for all but its version and who the stack is', () => {
    expect(read(head).file?.settings).toMatchInlineSnapshot(`
      {
        "access": {
          "exceptions": [],
          "rules": [],
          "strict": false,
        },
        "api": {
          "base_url": "embedded",
          "key": {
            "from_env": "SLUICE_API_KEY",
          },
          "profile": "completed",
          "vendor": "example",
        },
        "manifests": [],
        "marker": true,
        "patches": [],
        "policy": {
          "block": [],
          "max_deletes": "25%",
        },
        "secrets": {
          "dirs": [],
          "env_files": [],
        },
        "stack": {
          "id": "7f3a9c21",
          "name": "prod",
        },
        "state": {
          "lease": {
            "duration": "60s",
            "heartbeat": "10s",
            "margin": "10s",
            "store_deadline": "5s",
            "write_deadline": "30s",
          },
        },
        "vars": {},
        "version": 1,
        "watch": {
          "apply_on_change": true,
          "debounce": "1s",
          "heal_drift": false,
          "interval": "5m",
          "kinds": {},
          "listen": "127.0.0.1:9470",
          "listen_probes": false,
          "max_retry_delay": "10m",
          "notify": [],
          "poll": false,
          "prune": false,
          "renew": true,
          "scan_interval": "10s",
        },
      }
    `);
  });

  test('takes every setting there is', () => {
    const { diagnostics, file } = read(`${head}manifests: [manifests]
patches:
  - target: {kind: ReservedAddr, name: a}
    patch: [{op: add, path: /spec/description, value: {any: [1]}}, {op: remove, path: /lifecycle}]
api:
  base_url: https://api.example.com
  vendor: example
  profile: documented
  key: {from_env: SLUICE_SHOP_KEY}
  rate_limit: 120/60s
policy: {max_deletes: 3, block: [OPENS_ACCESS]}
state: {path: /var/lib/sluice/state.json}
secrets: {dirs: [../keys], env_files: [.env]}
env_prefixes: [SHOP_]
marker: false
watch: {apply_on_change: false, heal_drift: true, prune: true, renew: false, kinds: {ReservedAddr: report}}
`);
    expect(diagnostics).toEqual([]);
    expect(file?.settings).toMatchObject({ marker: false, policy: { max_deletes: 3 }, watch: { renew: false } });
  });

  test('is strict, and reports where', () => {
    expect(
      reported(`version: 2
stack: {name: Prod, id: 1}
manifest: [manifests]
api:
  base_url: http://user:hunter2@api.example.com
  profil: documented
  rate_limit: fast
policy: {max_deletes: some, block: [OPENS]}
patches:
  - {target: {kind: ReservedAddr}, patch: [{op: ad, path: /x, value: hunter2}]}
`),
    ).toMatchInlineSnapshot(`
      "error[INVALID_SETTING] sluice.yaml:1:1: \`version\` must be 1
          1 | version: 2
            | ^^^^^^^

      error[INVALID_SETTING] sluice.yaml:2:9: \`stack.name\` must be a DNS label: lower-case letters, digits and inner hyphens
          2 | stack: {name: Prod, id: 1}
            |         ^^^^

      error[INVALID_SETTING] sluice.yaml:2:21: \`stack.id\` must be 8 hexadecimal digits; \`sluice init --new-id\` writes a new id
          2 | stack: {name: Prod, id: 1}
            |                     ^^

      error[UNKNOWN_FIELD] sluice.yaml:3:1: unknown field \`manifest\` in sluice.yaml
          3 | manifest: […]
            | ^^^^^^^^
         hint: did you mean \`manifests\`?

      error[UNKNOWN_FIELD] sluice.yaml:6:3: unknown field \`profil\` in sluice.yaml.api
          6 |   profil: …
            |   ^^^^^^
         hint: did you mean \`profile\`?

      error[INVALID_SETTING] sluice.yaml:7:3: \`api.rate_limit\` must be a number of requests per time window, such as 120/60s
          7 |   rate_limit: fast
            |   ^^^^^^^^^^

      error[INVALID_SETTING] sluice.yaml:8:10: \`policy.max_deletes\` must be a number, or a percentage such as 25%
          8 | policy: {max_deletes: some, block: [OPENS]}
            |          ^^^^^^^^^^^

      error[INVALID_SETTING] sluice.yaml:8:37: \`policy.block[0]\` must be one of OPENS_ACCESS, EXPOSES_PUBLICLY, LOSES_ADDRESS, DELETES_UNMARKED, INTERRUPTS_TRAFFIC, RESTRICTS_ACCESS, REISSUES_CREDENTIAL, MANY_DELETES, ADOPTS_EXISTING
          8 | policy: {max_deletes: some, block: [OPENS]}
            |                                     ^^^^^
         hint: did you mean \`OPENS_ACCESS\`?

      error[INVALID_SETTING] sluice.yaml:10:6: \`patches[0].target\` must have \`name\` or \`labels\`
         10 |   - {target: {kind: ReservedAddr}, patch: [{op: ad, path: /x, value: …}]}
            |      ^^^^^^

      error[INVALID_SETTING] sluice.yaml:10:45: \`patches[0].patch[0].op\` must be one of add, replace, test, remove, move, copy
         10 |   - {target: {kind: ReservedAddr}, patch: [{op: ad, path: /x, value: …}]}
            |                                             ^^
      "
    `);
  });

  test('names the command that writes an id if there is none', () => {
    expect(reported('version: 1\nstack: {name: prod}\n')).toContain(
      '`stack.id` must be 8 hexadecimal digits; `sluice init --new-id` writes a new id',
    );
  });

  test('does not repeat a password in an address of a database that is no file', () => {
    expect(reported(`${head}state: {path: "postgres://u:hunter2@db/x"}\n`)).toContain(
      '`state.path` must be the path of a file',
    );
    expect(reported(`${head}state: {path: "postgres://u:hunter2@db/x"}\n`)).not.toContain('hunter2');
  });

  test('never holds the API key, and never repeats one', () => {
    const written = reported(`${head}api: {base_url: "https://hunter2:hunter2@a", key: hunter2}\n`);
    expect(written).toMatchInlineSnapshot(`
      "error[API_KEY_IN_FILE] sluice.yaml:3:46: the API key must not be written in sluice.yaml; if the file was ever shared, rotate the key
          3 | api: {base_url: …, key: …}
            |                    ^^^
         hint: use \`key: {from_env: SLUICE_API_KEY}\`
      "
    `);
    expect(reported(`${head}api: {base_url: "https://x:hunter2@a"}`)).not.toContain('hunter2');
    expect(reported(`${head}api: {base_url: "http://api.example.com"}`)).toContain(
      'error[INVALID_SETTING] sluice.yaml:3:7',
    );
    expect(reported(`${head}api: {kye: hunter2}`)).not.toContain('hunter2');
    expect(reported(`${head}api: {key: {from_evn: hunter2}}`)).not.toContain('hunter2');
    expect(reported(`${head}api: {key: {from_env: hunter2}}`)).not.toContain('hunter2');
    expect(reported(`${head}api: {key: {hunter2}}`)).toContain('unknown field `…` in sluice.yaml.api.key');
    expect(reported(`${head}api: {key: {hunter2}}`)).not.toContain('hunter2');
  });

  test.each([
    'api: {key: {from_env: OTHER_CI_SECRET}}',
    'api: {key: {from_env: SLUICE_VAR_KEY}}',
    'api: {key: {from_file: /proc/self/environ}}',
    'api: {key: {from_file: ../../.netrc}}',
    'watch: {notify: [{url: {from_env: OTHER_CI_SECRET}}]}',
    'watch: {notify: [{url: {from_file: hook.txt}}]}',
    'watch: {notify: [{url: {from_env: SLUICE_HOOK_URL}, secret: {from_env: OTHER_CI_SECRET}}]}',
    'watch: {notify: [{url: {from_env: SLUICE_HOOK_URL}, secret: {from_file: /etc/passwd}}]}',
  ])('takes credentials from variables of sluice alone, not by %s', (text) => {
    expect(reported(`${head}${text}\n`)).toMatch(/error\[(INVALID_SETTING|UNKNOWN_FIELD)\] sluice.yaml:3:/);
  });

  test('is one document of valid YAML that is there', () => {
    expect(reported(`${head}---\n${head}`)).toContain(
      'error[INVALID_SETTING] sluice.yaml:4:1: sluice.yaml must contain exactly one document',
    );
    expect(reported(`${head}api: [`)).toContain('error[SYNTAX_ERROR] sluice.yaml:3:');
    expect(diagnosticsText(readStackFile('/nowhere/sluice.yaml').diagnostics)).toContain('error[FILE_NOT_FOUND]');
  });
});

describe('patches', () => {
  const address = `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: a}
spec:
  region: eu
`;

  test('change manifests, and what they got wrong is reported where they were written', async () => {
    expect(
      await patched(
        '{op: replace, path: /spec/region, value: us}, {op: add, path: /lifecycle, value: {protect: false}}',
      ),
    ).toEqual({ reported: '', spec: { region: 'us' }, lifecycle: { protect: false } });
    expect((await patched('{op: replace, path: /spec/region, value: mars}')).reported).toMatch(
      /^error\[INVALID_VALUE\] sluice.yaml:5:13: `ReservedAddr.spec.region` must be one of/,
    );
  });

  test('cannot remove or replace a whole manifest', () => {
    for (const operation of ['{op: remove, path: ""}', '{op: replace, path: "", value: {}}'])
      expect(
        diagnosticsText(
          read(`${head}patches: [{target: {kind: ReservedAddr, name: a}, patch: [${operation}]}]\n`).diagnostics,
        ),
      ).toMatch(
        /^error\[INVALID_SETTING\] sluice.yaml:3:\d+: `patches\[0\].patch\[0\].path` must be the path of a field: a patch cannot remove or replace a whole manifest\n/,
      );
  });

  test('that do not fit are reported without a word of the manifest', async () => {
    expect((await patched('{op: remove, path: /spec/nothing}')).reported).toMatchInlineSnapshot(`
      "error[PATCH_FAILED] sluice.yaml:5:13: ReservedAddr/a: the patch has a path that does not exist in the manifest
          5 |     patch: [{op: remove, path: /spec/nothing}]
            |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      "
    `);
    // What every object inherits is no field.
    for (const operation of ['remove, path', 'replace, value: x, path', 'copy, path: /spec/description, from'])
      expect(
        (await patched(`{op: ${operation}: /spec/toString}, {op: add, path: /kind, value: Other}`)).reported,
      ).toMatch(/^error\[PATCH_FAILED\] sluice.yaml:5:13: .* that does not exist in the manifest/);
    expect((await patched('{op: test, path: /spec/region, value: us}')).reported).toContain(
      'a `test` operation of the patch failed',
    );
    expect((await patched('{op: add, path: /__proto__/x, value: 1}')).reported).toContain('a path with a reserved key');
    expect((await patched('{op: add, path: /lifecycle/protect, value: true}')).reported).toContain(
      'hint: first add the mapping: {op: add, path: /lifecycle, value: {}}',
    );
    // A mapping is no place for the item of a list.
    for (const item of ['-', '0'])
      expect((await patched(`{op: add, path: /lifecycle/ignore/${item}, value: /description}`)).reported).toContain(
        'hint: first add the list: {op: add, path: /lifecycle/ignore, value: []}',
      );
    expect((await patched('{op: replace, path: /spec/description, value: x}')).reported).toContain(
      'hint: to set a field that the manifest does not have yet, use `op: add`',
    );
    expect((await patched('{op: remove, path: /spec}', 'b')).reported).toMatchInlineSnapshot(`
      "error[PATCH_TARGET_NOT_FOUND] sluice.yaml:4:5: no manifest matches the patch target ReservedAddr/b
          4 |   - target: {kind: ReservedAddr, name: b}
            |     ^^^^^^
      "
    `);
  });

  test.each([
    ['copies of copies', Array.from({ length: 30 }, (_, n) => `{op: copy, from: /spec, path: /spec/x${n}}`).join()],
    [
      'copies of long texts',
      [
        `{op: add, path: /spec/a, value: [${'x'.repeat(200_000)}]}`,
        ...Array.from({ length: 100 }, (_, n) => `{op: copy, from: /spec/a, path: /spec/x${n}}`),
      ].join(),
    ],
  ])('of %s end at a size, before it is built', async (_, operations) => {
    expect((await patched(operations)).reported).toMatch(
      /^error\[TOO_LARGE\] sluice.yaml:5:\d+: ReservedAddr\/a: the patch makes the manifest larger than 200000 values/,
    );
  });

  test('that go through large values again and again end at an amount of work', async () => {
    const half = `[${'1,'.repeat(10_000)}]`;
    const swap = '{op: move, from: /spec/a/1, path: /spec/a/0}';
    const operations = [`{op: add, path: /spec/a, value: [${half}, ${half}]}`, ...Array<string>(200).fill(swap)];
    expect((await patched(operations.join())).reported).toMatch(
      /^error\[TOO_LARGE\] .* all patches together would process more than 3000000 values/,
    );
  });

  test('that replace a large value again and again stay within the size', async () => {
    const half = `[${'1,'.repeat(10_000)}]`;
    const operations = [
      `{op: add, path: /spec/a, value: ${half}}`,
      ...Array<string>(40).fill('{op: copy, from: /spec/a, path: /spec/b}'),
      '{op: remove, path: /spec/a}',
      '{op: remove, path: /spec/b}',
    ];
    expect((await patched(operations.join())).reported).toBe('');
  });

  test('cannot nest a manifest deeper than one that is read', async () => {
    const below = (levels: number): string => `/spec/metadata${'/a'.repeat(levels)}`;
    const nested = Array.from({ length: 300 }, (_, n) => `{op: add, path: ${below(n)}, value: {}}`);
    expect((await patched(nested.slice(0, 60).join())).reported).toBe('');
    expect((await patched(nested.join())).reported).toMatch(
      /^error\[TOO_DEEP\] .* ReservedAddr\/a: the patch nests the manifest more than 64 levels deep\n/,
    );
  });

  test('that move entries of a list leave its other entries findable by the list', async () => {
    const dir = temporaryFiles({
      'stack.yaml': `apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: a}\nspec:\n  hostports:\n    - a:1\n    - b:2\n`,
    });
    const patch = [{ op: 'remove' as const, path: '/spec/hostports/0' }];
    const stack = await loadDirectory(dir, { patches: [{ target: { kind: 'HTTPSEdge', name: 'a' }, patch }] });
    expect(stack.resources[0]?.spec).toEqual({ hostports: ['b:2'] });
    expect(stack.resources[0]?.places.of(['hostports', 0])).toMatchObject({ line: 5, col: 3 });
  });

  async function patched(operations: string, name = 'a') {
    const dir = temporaryFiles({
      'sluice.yaml': `${head}patches:\n  - target: {kind: ReservedAddr, name: ${name}}\n    patch: [${operations}]\n`,
      'manifests/a.yaml': address,
    });
    const { file, diagnostics } = readStackFile(join(dir, 'sluice.yaml'));
    expect(diagnostics).toEqual([]);
    const stack = await loadDirectory(dir, { inputs: ['manifests'], patches: file?.patches ?? [] });
    return {
      reported: diagnosticsText(stack.diagnostics),
      spec: stack.resources[0]?.spec,
      lifecycle: stack.resources[0]?.lifecycle,
    };
  }
});

function read(text: string) {
  return readStackFile(join(temporaryFiles({ 'sluice.yaml': text }), 'sluice.yaml'));
}

function reported(text: string): string {
  return diagnosticsText(read(text).diagnostics);
}
