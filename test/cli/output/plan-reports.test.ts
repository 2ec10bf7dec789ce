import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { platformOf, repositoryOf } from '../../../src/cli/ci.ts';
import { company, ran, sluice, stack } from '../terminal.ts';

const key = { SLUICE_API_KEY: 'any' };
const broken = company.replace('description:', 'descripton:');

/** What GitHub Actions sets, with the checkout above the stack. */
const github = (root: string): Record<string, string> => ({
  ...key,
  GITHUB_ACTIONS: 'true',
  GITHUB_SERVER_URL: 'https://git.example.com',
  GITHUB_REPOSITORY: 'company/edges',
  GITHUB_SHA: '4f2d1c',
  GITHUB_WORKSPACE: root,
});

describe('plan where reviewers are', () => {
  test('--format markdown links to the sources of the pipeline, within the bytes given', async () => {
    const dir = await stack(company);
    const { out, code } = await sluice(dir, 'plan --format markdown --max-bytes 4096', {
      env: github(join(dir, '..')),
    });
    expect(code).toBe(0);
    expect(out).toMatch(/^<!-- sluice stack=company\/5c1e7a90 digest=sha256:[0-9a-f]{64} time=\S+ -->\n/);
    expect(out).toMatch(/\]\(https:\/\/git\.example\.com\/company\/edges\/blob\/4f2d1c\/\S+\/manifests\/\S+#L\d+\)/);
    expect(Buffer.byteLength(out)).toBeLessThanOrEqual(4096);
  });

  test('--platform reports whose comments it is for', async () => {
    const dir = await stack(company);
    const { out } = await sluice(dir, 'plan --format markdown --platform bitbucket', { env: key });
    expect(out).toMatch(/^\[\/\/\]: # \(sluice /);
    expect(out).not.toContain('<');
  });

  test('a saved plan shows as Markdown with the digest to approve it by', async () => {
    const dir = await stack(company);
    const digest = /sha256:[0-9a-f]{64}/.exec((await sluice(dir, 'plan --out a.plan', { env: key })).err)?.[0] ?? '';
    expect((await sluice(dir, 'show a.plan --format markdown', { env: key })).out).toContain(`\`${digest}\``);
  });

  test('a saved plan is applied by the command that was printed, also from another directory', async () => {
    const dir = await stack();
    const { err } = await sluice(join(dir, '..'), `-C ${basename(dir)} plan --out ${dir}/a.plan`, { env: key });
    const [, command = ''] = /run: sluice (.*)$/m.exec(err) ?? [];
    expect((await sluice(join(dir, '..'), command, { env: key })).code).toBe(0);
    const spaced = await ran(dir, ['plan', '--out', 'a plan'], { env: key });
    expect(spaced.err).toContain("run: sluice apply 'a plan' --digest sha256:");
  });

  test('--github-summary adds to what the step has said already', async () => {
    const dir = await stack(company);
    const summary = join(dir, 'summary.md');
    await writeFile(summary, 'before\n');
    await sluice(dir, 'plan --github-summary', { env: { ...github(dir), GITHUB_STEP_SUMMARY: summary } });
    expect(await readFile(summary, 'utf8')).toMatch(/^before\n<!-- sluice [^]*### sluice plan for `company`/);
    expect((await sluice(dir, 'plan --github-summary', { env: key })).code).toBe(8);
  });

  test('--gitlab-report counts what is created, updated and deleted', async () => {
    const dir = await stack(company);
    const { summary } = JSON.parse(
      (await sluice(dir, 'plan --format json --gitlab-report r.json', { env: key })).out,
    ) as {
      summary: { create: number };
    };
    expect(summary.create).toBeGreaterThan(0);
    expect(JSON.parse(await readFile(join(dir, 'r.json'), 'utf8'))).toEqual({
      create: summary.create,
      update: 0,
      delete: 0,
    });
  });

  test.each(['--github-summary', '--gitlab-report nowhere/r.json', '--out nowhere/a.plan'])(
    'a file that cannot be written is reported as such: %s',
    async (flag) => {
      const dir = await stack(company);
      const { code, err } = await sluice(dir, `plan ${flag}`, {
        env: { ...github(dir), GITHUB_STEP_SUMMARY: join(dir, 'nowhere/summary.md') },
      });
      expect([code, err]).toEqual([
        8,
        expect.stringContaining('cannot be written: no such file or directory (ENOENT)\n'),
      ]);
    },
  );

  test.each(['plan', 'validate'])('%s --github-annotations puts mistakes on their lines', async (command) => {
    const dir = await stack(broken);
    const { err, code } = await sluice(dir, `${command} --github-annotations`, { env: github(dir) });
    expect(code).toBe(8);
    expect(err).toMatch(/^::error file=manifests\/\S+,line=\d+,col=\d+,title=UNKNOWN_FIELD::/m);
  });

  test('formats that a command does not have are refused before it begins', async () => {
    const dir = await stack(company);
    expect((await sluice(dir, 'get https-edge --format markdown', { env: key })).code).toBe(8);
    expect((await sluice(dir, 'plan --format sarif', { env: key })).code).toBe(8);
    expect((await sluice(dir, 'plan --max-bytes 100', { env: key })).code).toBe(8);
  });
});

describe('--format markdown, where there is no plan', () => {
  test('tells what is wrong with the manifests, and what to do', async () => {
    const { out, code } = await sluice(await stack(broken), 'plan --format markdown', { env: key });
    expect(code).toBe(8);
    expect(out).toBe(`### sluice failed

- error \`UNKNOWN_FIELD\` \`manifests/company.yaml:5\` \`ReservedAddr/mqtt\`: unknown field \`descripton\` in \`ReservedAddr.spec\`; did you mean \`description\`?
`);
  });

  test('tells why nothing was planned', async () => {
    const dir = await stack(company);
    await sluice(dir, 'apply --auto-approve', { env: key });
    await writeFile(join(dir, 'manifests/company.yaml'), '');
    const { out, code } = await sluice(dir, 'plan --format markdown', { env: key });
    expect([code, out]).toEqual([
      3,
      '### sluice failed\n\nthe manifests contain no resources, but 3 resources of this stack exist; to delete them all, run `sluice destroy` or use `--allow-empty`\n\n',
    ]);
  });
});

describe('validate --format sarif', () => {
  test('is a log of what is wrong, with places, and the exit code of validate', async () => {
    const dir = await stack(broken);
    const { out, code } = await sluice(dir, 'validate --format sarif', { env: key });
    expect(code).toBe(8);
    expect(JSON.parse(out)).toMatchObject({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'sluice' } },
          results: [
            {
              ruleId: 'UNKNOWN_FIELD',
              level: 'error',
              locations: [
                { physicalLocation: { artifactLocation: { uri: expect.stringMatching(/^manifests\//) as string } } },
              ],
            },
          ],
        },
      ],
    });
  });

  test('is a log of what is wrong with sluice.yaml as well', async () => {
    const dir = await stack(company, 'version: 2\n');
    const { out, err, code } = await sluice(dir, 'validate --format sarif', { env: key });
    expect([code, err]).toEqual([8, expect.stringContaining('error[INVALID_SETTING] sluice.yaml:')]);
    const { runs } = JSON.parse(out) as { runs: { results: { ruleId: string }[] }[] };
    expect(runs[0]?.results.map(({ ruleId }) => ruleId)).toContain('INVALID_SETTING');
  });

  test('has no results where nothing is wrong', async () => {
    const { out, code } = await sluice(await stack(company), 'validate --format sarif', { env: key });
    expect([code, (JSON.parse(out) as { runs: { results: unknown[] }[] }).runs[0]?.results]).toEqual([0, []]);
  });
});

describe('the variables of pipelines', () => {
  test.each([
    [{ GITEA_ACTIONS: 'true', GITHUB_ACTIONS: 'true' }, 'gitea'],
    [{ GITHUB_ACTIONS: 'true' }, 'github'],
    [{ GITLAB_CI: 'true' }, 'gitlab'],
    [{ BITBUCKET_BUILD_NUMBER: '7' }, 'bitbucket'],
    [{}, 'github'],
  ] as const)('%o are those of %s', (env, platform) => {
    expect(platformOf(env)).toBe(platform);
  });

  test('say where the sources are, and in which folder of them the stack is', () => {
    expect(
      repositoryOf(
        { CI_PROJECT_URL: 'https://git.example.com/a/b', CI_COMMIT_SHA: 'abc', CI_PROJECT_DIR: '/builds/b' },
        '/builds/b/stacks/prod',
      ),
    ).toEqual({ url: 'https://git.example.com/a/b', revision: 'abc', folder: 'stacks/prod' });
    expect(repositoryOf({}, '/anywhere')).toBeUndefined();
  });
});
