import type { Emulator } from '../src/emulator/emulator.ts';

const headers = { authorization: 'Bearer bench', 'example-version': '2', 'content-type': 'application/json' };

/** Fills an account with so many resources: half reserved addresses, a fifth event subscriptions, the rest edges with three routes each. */
export async function fillAccount(emulator: Emulator, resources: number): Promise<void> {
  const create = async (path: string, body: object): Promise<string> => {
    const answer = await emulator.handle({ method: 'POST', path, headers, body: JSON.stringify(body) });
    if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${answer.body}`);
    return (JSON.parse(answer.body) as { id: string }).id;
  };
  const metadata = JSON.stringify({
    team: 'bench',
    sluice: { s: 'bench#00000000', a: 'x'.repeat(60), n: 'n'.repeat(12) },
  });
  const [addresses, subscriptions] = [resources / 2, resources / 5];
  const edges = (resources - addresses - subscriptions) / 4;
  for (let n = 0; n < addresses; n++) await create('/reserved_addrs', { description: `Address ${n}`, metadata });
  for (let n = 0; n < subscriptions; n++)
    await create('/event_subscriptions', {
      description: `Subscription ${n}`,
      metadata,
      sources: [{ type: 'ip_policy_created.v0' }],
      destination_ids: ['ed_bench'],
    });
  for (let n = 0; n < edges; n++) {
    const edge = await create('/edges/https', { metadata, hostports: [`shop-${n}.example.com:443`] });
    for (const match of ['/', '/api', '/admin'])
      await create(`/edges/https/${edge}/routes`, {
        match_type: 'path_prefix',
        match,
        metadata,
        backend: { backend_id: 'bkd_bench' },
        compression: {},
        oauth: { provider: { google: { email_domains: ['example.com'] } } },
      });
  }
}
