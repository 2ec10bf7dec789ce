import { expect, test } from 'vitest';
import { sluice, stack } from './terminal.ts';

const address = `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: mqtt}
lifecycle: {protect: false}
spec: {region: eu, metadata: {from_env: NOTE}}
`;

test.each([
  ['plain text', 'canary text of somebody'],
  ['text that only begins like an object', '{canary'],
  ['an object', '{"team":"canary"}'],
  ['nothing', ''],
])('metadata from a variable that is %s converges', async (_, NOTE) => {
  const dir = await stack(address);
  const env = { NOTE, SLUICE_API_KEY: 'key' };
  expect(await sluice(dir, 'apply --auto-approve', { env })).toMatchObject({ code: 0 });
  expect(await sluice(dir, 'plan --detailed-exitcode', { env })).toMatchObject({ code: 0 });
});

test('metadata from a variable is checked like metadata that is written out, without its length', async () => {
  const dir = await stack(address);
  const checked = async (NOTE: string): Promise<string> =>
    (await sluice(dir, 'validate', { env: { NOTE, SLUICE_API_KEY: 'key' } })).err;
  expect(await checked('canary text')).toContain('cannot contain an ownership marker');
  expect(await checked('{"sluice":1}')).toContain('is reserved for the ownership marker');
  const full = await checked(JSON.stringify({ a: 'x'.repeat(4050) }));
  expect(full).toContain('`metadata` leaves too little space for the ownership marker, which needs 160 of 4096 bytes');
});
