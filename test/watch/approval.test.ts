import { expect, test } from 'vitest';
import type { Io } from '../../src/cli/io.ts';
import { ran, type Ended } from '../cli/terminal.ts';
import { address, signedInEdge, startWatch, type Watched } from './start-watch.ts';

const blocksOpening = '{block: [OPENS_ACCESS]}';

const atTerminal = (answer: string): Partial<Io> => ({
  terminal: { in: true, out: true, err: true },
  ask: () => Promise.resolve(answer),
});

/** A watch that has changes that require approval: another company gets in. */
async function waiting(): Promise<Watched & { readonly approve: (line: string, io?: Partial<Io>) => Promise<Ended> }> {
  const watched = await startWatch('prune: true', { 'a.yaml': signedInEdge('example.com') }, blocksOpening);
  await watched.until(() => watched.log().includes('HTTPSEdgeRoute/shop:/: done'));
  await watched.write('a.yaml', signedInEdge('example.com, partner.example'));
  await watched.until(() => watched.log().includes('"event":"approval"'));
  return {
    ...watched,
    approve: (line, io) =>
      ran(watched.dir, ['approve', ...line.split(' ').filter(Boolean)], { env: watched.env, ...io }),
  };
}

test('whoever approves sees the whole plan first, and only yes approves', async () => {
  const { approve, log, until, stop, status } = await waiting();
  const { approval_digest: digest = '', approval_plan: plan } = await status();
  const declined = await approve('', atTerminal('y'));
  expect(declined.code).toBe(1);
  expect(declined.out).toContain('+ partner.example');
  expect(declined.out).toContain('OPENS_ACCESS');
  expect(declined.err).toContain('Not approved. Nothing will be applied.');
  expect(declined.out).toBe(
    [
      'to approve: update 1 HTTPSEdgeRoute',
      'hazards: 1 OPENS_ACCESS',
      'who can reach what, now and after approval:',
      '  https://shop.example.com/… (opened to more clients): now authentication (Google accounts: example.com); after approval authentication (Google accounts: example.com, partner.example)',
      'All other URLs and addresses stay reachable as they are now.',
      '',
      plan,
    ].join('\n'),
  );
  expect(log()).not.toContain('"event":"approved"');

  const approved = await approve(`${digest} --reason CHG-1042`, atTerminal('yes'));
  expect(approved).toMatchObject({ code: 0 });
  expect(approved.out).toContain('+ partner.example');
  await until(() => log().includes('"event":"approved"'));
  await stop();
});

test('where nobody can be asked, a digest and --auto-approve are required', async () => {
  const { approve, status, stop } = await waiting();
  const { approval_digest: digest = '' } = await status();
  const blind = await approve('--auto-approve');
  expect(blind.code).toBe(8);
  expect(blind.err).toContain('a digest is required if there is no terminal to ask for approval');
  const shown = await approve(digest);
  expect(shown.code).toBe(8);
  expect(shown.out).toContain('+ partner.example');
  expect(shown.err).toContain('pass --auto-approve to skip the question');
  expect(await approve(`${digest} --auto-approve`)).toMatchObject({ code: 0 });
  await stop();
});

test('log, status, record and history say who approved what, and why', async () => {
  const { approve, status, log, until, stop, dir, env } = await waiting();
  const { approval_digest: digest = '' } = await status();
  await approve(`${digest} --auto-approve --reason CHG-1042`);
  await until(() => log().includes('"event":"applied"') && log().includes('"event":"approved"'));
  await until(async () => (await status()).applies[0]?.trigger === 'approval');
  const [record] = (await status()).applies;
  expect(record?.approvals).toEqual([
    { digest, by: expect.any(String) as string, time: expect.any(String) as string, reason: 'CHG-1042' },
  ]);
  expect(record?.digest).toBe(digest);
  const line = (event: string): unknown =>
    log()
      .split('\n')
      .filter((one) => one.startsWith('{'))
      .map((one) => JSON.parse(one) as { event: string })
      .findLast((one) => one.event === event);
  expect(line('approved')).toMatchObject({ digest, reason: 'CHG-1042', by: record?.approvals[0]?.by });
  expect(line('applied')).toMatchObject({
    digest,
    changes: 1,
    done: 1,
    approved_by: record?.approvals[0]?.by,
    message: expect.stringMatching(/^1 of 1 change applied in \d+\.\d s$/) as string,
  });
  await stop();
  const history = await ran(dir, ['history', '--format', 'json'], { env });
  const [run] = (JSON.parse(history.out) as { runs: { id: string }[] }).runs;
  const [{ by, time } = { by: '', time: '' }] = record?.approvals ?? [];
  expect(run).toMatchObject({ approvals: [{ digest, by, at: time, reason: 'CHG-1042' }] });
  const shown = await ran(dir, ['history', run?.id ?? ''], { env });
  expect(shown.out).toContain(`Approved:  ${digest} by ${by} at ${time}: CHG-1042\n`);
});

test('a waiting change is shown with its values, before and after', async () => {
  const { status, stop } = await waiting();
  const [pending] = (await status()).pending;
  expect(pending).toMatchObject({ reason: 'approval', hazards: [{ code: 'OPENS_ACCESS' }] });
  expect(pending?.details).toContain('+ partner.example');
  expect(pending?.fields).toMatchObject([
    {
      pointer: '/oauth/provider/google/email_domains',
      desired: expect.stringContaining('partner.example') as string,
      actual: expect.not.stringContaining('partner.example') as string,
    },
  ]);
  await stop();
});

test('drift that is only reported is shown with its values', async () => {
  const { log, until, byHand, status, stop } = await startWatch('heal_drift: false', { 'a.yaml': address('brokers') });
  await until(() => log().includes('ReservedAddr/mqtt: done'));
  await byHand({ description: 'changed by hand' });
  await until(async () => (await status()).pending.length === 1);
  expect((await status()).pending).toMatchObject([
    {
      address: 'ReservedAddr/mqtt',
      reason: 'manual',
      details: expect.stringContaining('changed by hand') as string,
      fields: [{ pointer: '/description', desired: 'brokers', actual: '"changed by hand"' }],
    },
  ]);
  await stop();
});
