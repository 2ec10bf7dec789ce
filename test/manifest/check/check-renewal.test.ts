import { mkdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { diagnosticsText } from '../../../src/render/diagnostics/diagnostics-text.ts';
import { loadDirectory, loadFiles, loadText, temporaryFiles, reportOf } from '../../support/manifests.ts';

/** A host certificate with a lifecycle, and more in its spec. */
function bastion(lifecycle: string, more = '', name = 'bastion'): string {
  return `apiVersion: sluice/v1
kind: SSHHostCertificate
metadata: {name: ${name}}
lifecycle: ${lifecycle}
spec:
  ssh_certificate_authority_id: sshca_hosts
  public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIJjIbroJkak329vP7z36PpVOQifX5y76A+H0/pjS6zj bastion
${more}`;
}

describe('when to issue anew, and where to keep it', () => {
  test('is read from the lifecycle, in seconds and from the directory of the stack', async () => {
    const files = {
      'manifests/a.yaml': bastion('{valid_for: 90d, renew_before: 12h, certificate_file: ./ssh/../keys/a-cert.pub}'),
    };
    const { resources, diagnostics } = await loadFiles(files);
    expect(diagnostics).toEqual([]);
    expect(resources[0]?.lifecycle).toEqual({
      valid_for: 7_776_000,
      renew_before: 43_200,
      certificate_file: 'keys/a-cert.pub',
    });
    expect(Object.keys(resources[0]?.spec ?? {})).toEqual(['ssh_certificate_authority_id', 'public_key']);
  });

  test('may be null, which means not set', async () => {
    const { resources, diagnostics } = await loadText(
      bastion('{valid_for: null, renew_before: null, certificate_file: null}'),
    );
    expect([resources[0]?.lifecycle, diagnostics]).toEqual([{}, []]);
  });

  test('is reported where it is no duration, or no file of that sort', async () => {
    expect(await reportOf(bastion('{valid_for: 90, renew_before: 1.5h, certificate_file: state.json}')))
      .toMatchInlineSnapshot(`
        "error[INVALID_LIFECYCLE] stack.yaml:4:13: \`SSHHostCertificate.lifecycle.valid_for\` must be a duration of at most 100 years, such as 90d or 12h
            4 | lifecycle: {valid_for: 90, renew_before: 1.5h, certificate_file: state.json}
              |             ^^^^^^^^^

        error[INVALID_LIFECYCLE] stack.yaml:4:28: \`SSHHostCertificate.lifecycle.renew_before\` must be a duration of at most 100 years, such as 90d or 12h
            4 | lifecycle: {valid_for: 90, renew_before: 1.5h, certificate_file: state.json}
              |                            ^^^^^^^^^^^^

        error[INVALID_LIFECYCLE] stack.yaml:4:48: \`SSHHostCertificate.lifecycle.certificate_file\` must be a file path that ends in -cert.pub
            4 | lifecycle: {valid_for: 90, renew_before: 1.5h, certificate_file: state.json}
              |                                                ^^^^^^^^^^^^^^^^
        "
      `);
  });

  test('cannot be set beside an end that is written out', async () => {
    const spec = '  valid_until: "2030-01-01T00:00:00Z"\n';
    expect(await reportOf(bastion('{valid_for: 90d, renew_before: 30d}', spec))).toMatchInlineSnapshot(`
      "error[INVALID_LIFECYCLE] stack.yaml:4:13: \`SSHHostCertificate.lifecycle.valid_for\` cannot be set together with \`spec.valid_until\`
          4 | lifecycle: {valid_for: 90d, renew_before: 30d}
            |             ^^^^^^^^^

      error[INVALID_LIFECYCLE] stack.yaml:4:29: \`SSHHostCertificate.lifecycle.renew_before\` cannot be set together with \`spec.valid_until\`
          4 | lifecycle: {valid_for: 90d, renew_before: 30d}
            |                             ^^^^^^^^^^^^
      "
    `);
  });

  test.each([
    ['as long as it is valid', '{valid_for: 30d, renew_before: 30d}'],
    ['longer than a certificate lasts by itself', '{renew_before: 366d}'],
  ])('cannot be %s, or it would always be due', async (_, lifecycle) => {
    const { diagnostics } = await loadText(bastion(lifecycle));
    expect(diagnostics.map(({ code }) => code)).toEqual(['INVALID_LIFECYCLE']);
    expect(diagnostics[0]?.message).toMatch(/must be shorter than the validity period of (30|365)d/);
    expect((await loadText(bastion('{renew_before: 364d}'))).diagnostics).toEqual([]);
  });

  test('is no field of kinds that are not issued for a while', async () => {
    const text = 'apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: a}\nlifecycle: {renew_before: 30d}\n';
    expect((await loadText(text)).diagnostics).toMatchObject([{ code: 'UNKNOWN_FIELD' }]);
  });
});

describe('the file of a certificate', () => {
  test.each(['../a-cert.pub', join(tmpdir(), 'a-cert.pub'), '.git/a-cert.pub', 'out/a-cert.pub', 'lost-cert.pub'])(
    'is not %s, which leads elsewhere',
    async (path) => {
      const dir = temporaryFiles({ 'manifests/stack.yaml': bastion(`{certificate_file: ${path}}`) });
      mkdirSync(join(dir, '.git'));
      symlinkSync(tmpdir(), join(dir, 'out'));
      symlinkSync(join(dir, 'nowhere'), join(dir, 'lost-cert.pub'));
      const { diagnostics } = await loadDirectory(dir, { inputs: ['manifests'] });
      expect(diagnostics).toMatchObject([{ code: 'PATH_OUTSIDE_STACK', place: { line: 4 } }]);
    },
  );

  test('may lie behind a link that stays inside', async () => {
    const dir = temporaryFiles({
      'keys/other': '',
      'manifests/stack.yaml': bastion('{certificate_file: out/a-cert.pub}'),
    });
    symlinkSync(join(dir, 'keys'), join(dir, 'out'));
    const { resources } = await loadDirectory(dir, { inputs: ['manifests'] });
    expect(resources[0]?.lifecycle).toEqual({ certificate_file: 'keys/a-cert.pub' });
  });

  test('is of one certificate alone', async () => {
    const two = ['bastion', 'gate'].map((name) => bastion('{certificate_file: a-cert.pub}', '', name)).join('---\n');
    const { diagnostics } = await loadText(two);
    expect(diagnosticsText(diagnostics)).toMatchInlineSnapshot(`
      "error[INVALID_LIFECYCLE] stack.yaml:9:1: \`SSHHostCertificate.lifecycle.certificate_file\` is already used by SSHHostCertificate/bastion
         stack.yaml:1:1: used by SSHHostCertificate/bastion
      "
    `);
    const all = ['bastion', 'gate', 'spare'].map((name) => bastion('{certificate_file: a-cert.pub}', '', name));
    const { diagnostics: more } = await loadText([...all, bastion('{}', '', 'other')].join('---\n'));
    const holders = more.map(({ message }) => message.split(' ').at(-1));
    expect(holders).toEqual(['SSHHostCertificate/bastion', 'SSHHostCertificate/bastion']);
  });
});
