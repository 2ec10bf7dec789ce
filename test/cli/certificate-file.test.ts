import { execFile, spawn, spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import about from '../../package.json' with { type: 'json' };
import { directory, sluice, stack } from './terminal.ts';

// The built program, as `npm test` has just built it.
const program = join(import.meta.dirname, '../..', about.bin.sluice);
const file = 'ssh/bastion-cert.pub';
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIJjIbroJkak329vP7z36PpVOQifX5y76A+H0/pjS6zj bastion';

function bastion(lifecycle: string): string {
  return `apiVersion: sluice/v1
kind: SSHHostCertificate
metadata: {name: bastion}
lifecycle: {certificate_file: ${file}${lifecycle}}
spec:
  ssh_certificate_authority_id: sshca_hosts
  public_key: ${key}
  principals: [bastion.example.com, 192.0.2.22]
`;
}

describe('the file of a host certificate', () => {
  test('is written by apply, readable to all, and brought back without a request', async () => {
    const dir = await stack(bastion(''));
    expect((await sluice(dir, 'apply --auto-approve')).code).toBe(0);
    const path = join(dir, file);
    const first = await readFile(path, 'utf8');
    expect(first).toMatch(/^ssh-ed25519-cert-v01@openssh\.com \S+\n$/);
    expect((await stat(path)).mode & 0o777).toBe(0o644);
    expect(await readdir(join(dir, 'ssh'))).toEqual(['bastion-cert.pub']);
    expect((await sluice(dir, 'plan --detailed-exitcode')).code).toBe(0);

    await rm(path);
    const missing = await sluice(dir, 'plan --detailed-exitcode');
    expect(missing.code).toBe(2);
    expect(missing.out).toContain(
      `    writes ${file}, because the file is missing\n\n1 to write; 0 API requests; 1 file.\n`,
    );
    const { out } = await sluice(dir, 'apply --auto-approve');
    expect(out).toContain('Applied: 1 written; 0 API requests.');
    expect(await readFile(path, 'utf8')).toBe(first);

    await writeFile(path, 'something else\n');
    const different = JSON.parse((await sluice(dir, '--format json plan')).out) as Record<string, unknown>;
    expect(different).toMatchObject({
      summary: { write_file: 1, requests: 0 },
      files: [{ address: 'SSHHostCertificate/bastion', path: file, reason: 'different' }],
      resource_changes: [{ change: { actions: ['no-op'] }, explanation: [] }],
    });
    expect((await sluice(dir, 'apply --auto-approve')).code).toBe(0);
    expect(await readFile(path, 'utf8')).toBe(first);
  });

  test('is never written through a link that was put there after the manifests were read', async () => {
    const [dir, elsewhere] = [await stack(bastion('')), await directory()];
    const io = {
      terminal: { in: true, out: false, err: true },
      ask: async () => {
        await symlink(elsewhere, join(dir, 'ssh'));
        return 'yes';
      },
    };
    const { code, out } = await sluice(dir, 'apply', io);
    expect(code).toBe(6);
    expect(out).toContain(`cannot write ${file}: the path is outside of the stack directory`);
    expect(await readdir(elsewhere)).toEqual([]);
    expect((await sluice(dir, 'plan')).code).toBe(8);
  });

  test.skipIf(process.getuid?.() === 0)(
    'that may not be written fails the change, and is made up for later',
    async () => {
      const dir = await stack(bastion(''));
      await mkdir(join(dir, 'ssh'), { mode: 0o555 });
      expect((await sluice(dir, 'apply --auto-approve')).code).toBe(6);
      await chmod(join(dir, 'ssh'), 0o755);
      expect((await sluice(dir, 'apply --auto-approve')).out).toContain('Applied: 1 written; 0 API requests.');
    },
  );

  test('follows a certificate that is renewed in time, also by a saved plan', async () => {
    const dir = await stack(bastion(', valid_for: 90d, renew_before: 30d'));
    expect((await sluice(dir, 'apply --auto-approve')).code).toBe(0);
    const first = await readFile(join(dir, file), 'utf8');
    const in78Days = { now: () => Date.now() + 78 * 86_400_000 - 3_600_000 };
    const planned = await sluice(dir, 'plan --out due.plan', in78Days);
    expect(planned.out).toContain('± SSHHostCertificate/bastion');
    expect(planned.out).toContain('    renewed because the certificate expires in 12 days\n');
    expect(planned.out).toContain('    valid_until: 90d after apply\n');
    const later = { now: () => in78Days.now() + 86_400_000 };
    const applied = await sluice(dir, 'apply due.plan', later);
    expect(applied.err + applied.out).toContain('Applied: 1 replaced; 2 API requests.');
    expect(await readFile(join(dir, file), 'utf8')).not.toBe(first);
    expect((await sluice(dir, 'plan --detailed-exitcode', later)).code).toBe(0);
  });
});

// OpenSSH's own reading of what the program wrote; without it there is nothing to ask.
describe.skipIf(spawnSync('ssh-keygen', ['-?']).error !== undefined)('the built program and ssh-keygen', () => {
  test('agree on what stands in the file, before and after a renewal', async () => {
    const dir = await stack(bastion(', valid_for: 1h'));
    const env = { ...process.env, SLUICE_BASE_URL: await emulator(), SLUICE_API_KEY: 'any' };
    await ran(process.execPath, [program, 'apply', '--auto-approve'], dir, env);
    const [first, reported] = [await readFile(join(dir, file), 'utf8'), await read(dir)];
    expect(reported).toMatch(/Type: ssh-ed25519-cert-v01@openssh\.com host certificate/);
    expect(reported).toMatch(
      /Principals:\s+192\.0\.2\.22\s+bastion\.example\.com|bastion\.example\.com\s+192\.0\.2\.22/,
    );
    expect(hoursLeft(reported)).toBeCloseTo(1, 0);

    await writeFile(join(dir, 'manifests/company.yaml'), bastion(', valid_for: 90d, renew_before: 30d'));
    const planned = await ran(process.execPath, [program, 'plan'], dir, env);
    expect(planned).toMatch(/renewed because the certificate expires in (?:1 hour|\d+ minutes?)\n/);
    await ran(process.execPath, [program, 'apply', '--auto-approve'], dir, env);
    expect(await readFile(join(dir, file), 'utf8')).not.toBe(first);
    expect(hoursLeft(await read(dir))).toBeCloseTo(90 * 24, 0);
    expect(await ran(process.execPath, [program, 'plan'], dir, env)).toBe('No changes. 1 resource in sync.\n');
    expect(await ran(process.execPath, [program, 'get', 'ssh-host-certificate'], dir, env)).toMatch(/^bastion /m);
  });
});

/** Starts the built emulator, and answers where it is. */
async function emulator(): Promise<string> {
  const child = spawn(process.execPath, [program, 'emulator', '--port', '0'], {
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill());
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('the emulator ended before it said where it is')));
    createInterface(child.stdout).once('line', resolve);
  });
}

function read(dir: string): Promise<string> {
  return ran('ssh-keygen', ['-L', '-f', file], dir, { ...process.env, TZ: 'UTC' });
}

/** How long the certificate that `ssh-keygen -L` tells of is still valid. */
function hoursLeft(reported: string): number {
  const [, until = ''] = / to (\S+)/.exec(reported) ?? [];
  return (Date.parse(`${until}Z`) - Date.now()) / 3_600_000;
}

function ran(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd, env, timeout: 200_000 }, (error, out, err) => {
      if (error === null) resolve(out);
      else reject(new Error(`${args.join(' ')} failed:\n${out}${err}`));
    });
  });
}
