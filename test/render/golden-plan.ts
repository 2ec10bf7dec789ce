import { kinds } from '../../src/kinds/index.ts';
import type { Plan } from '../../src/model/plan.ts';
import { harness } from '../support/harness.ts';
import type { GoldenAccount } from './golden-accounts.ts';

/** The plan of an account: what was before is applied, what was done by hand is done, and then it is planned. */
export async function goldenPlan({ before, byHand = [], after, profile = 'completed' }: GoldenAccount): Promise<Plan> {
  const lived = harness({ profile, kinds, service: { clock: () => new Date('2026-12-01T09:00:00Z') } });
  const file = 'shop.yaml';
  const account = before === undefined ? undefined : (await lived.converge({ [file]: before })).account;
  let made = '';
  for (const [method, path, body] of byHand) {
    const named = path.replace(/\{([^}]+)\}/g, (_, address: string) => account?.ours.get(address)?.id ?? address);
    const { status, body: answer } = await lived.emulator.handle({
      method,
      path: named,
      headers: { authorization: 'Bearer other', 'example-version': '2', 'content-type': 'application/json' },
      body: JSON.stringify(body),
      actor: 'other',
    });
    made = (JSON.parse(answer === '' ? '{}' : answer) as { id?: string }).id ?? made;
    if (status >= 400) throw new Error(`${method} ${named} was answered ${String(status)}`);
  }
  const { plan } = await lived.plan({ [file]: after.replace('{last}', made) });
  return plan;
}
