import { kinds } from '../../src/kinds/index.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { harness } from '../support/harness.ts';
import type { GoldenAccount } from './golden-accounts.ts';

/** The plan of an account, with what is to be reported of its manifests: what was before is applied, what was done by hand is done, and then it is planned. */
export async function goldenPlan(account: GoldenAccount): Promise<Plan> {
  const { before, byHand = [], after, profile = 'completed', now = '2026-12-01T09:00:00Z' } = account;
  const service = { clock: () => new Date('2026-12-01T09:00:00Z') };
  const lived = harness({ profile, kinds, service, time: () => Date.parse(now) });
  const file = 'shop.yaml';
  const there = before === undefined ? undefined : (await lived.converge({ [file]: before })).account;
  let made = '';
  for (const [method, path, body] of byHand) {
    const named = path.replace(/\{([^}]+)\}/g, (_, address: string) => there?.ours.get(address)?.id ?? address);
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
  const { plan, desired } = await lived.plan({ [file]: after.replace('{last}', made) });
  return { ...plan, diagnostics: [...desired.diagnostics, ...plan.diagnostics] };
}
