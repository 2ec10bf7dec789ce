/*
 * `plan --verify` reports of a plan what a real apply would show: it verifies exactly the plans after which the next plan
 * is empty. Half of the cases are made to fail: a request of the plan is left out, the service takes no notice of a
 * field, or something of somebody else holds what the plan wants to delete; then both must report that.
 *
 * A share runs with every `npm test`; `npm run test:verify` tries 500 accounts of each profile.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cloneAccount } from '../../src/stack/service/clone-account.ts';
import { verifyPlan } from '../../src/stack/plan/simulated-run.ts';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import type { Answer } from '../../src/emulator/answer.ts';
import type { EmulatorOptions } from '../../src/emulator/options.ts';
import { isSpecObject } from '../../src/kinds/value.ts';
import { hasErrors } from '../../src/diagnostics/diagnostic.ts';
import { kinds } from '../../src/kinds/index.ts';
import type { Account } from '../../src/model/actual.ts';
import { isEmptyPlan, type Plan } from '../../src/model/plan/plan.ts';
import { anyDrift, anyForeignStack, drift, type Drift } from '../generators/actor.ts';
import type { Item } from '../generators/item.ts';
import { harness, printed } from '../support/harness.ts';
import { mustHold } from '../support/law.ts';
import { loadText } from '../support/load-text.ts';
import { sampleSize } from '../support/samples.ts';
import { asScenario, edited, files, inProfile, profiles, type EditedStack } from '../laws/cases.ts';

/** What is wrong with a case, if anything. */
type Flaw =
  | { readonly is: 'none' }
  | { readonly is: 'a request is left out'; readonly at: number }
  | { readonly is: 'a field is taken no notice of'; readonly at: number }
  | { readonly is: 'somebody else has what is wanted'; readonly at: number }
  | { readonly is: 'somebody else refers to what goes'; readonly at: number };

interface Case {
  readonly stacks: EditedStack;
  readonly foreign: readonly Item[];
  readonly deeds: readonly Drift[];
  readonly lost: boolean;
  readonly flaw: Flaw;
  readonly service: Pick<EmulatorOptions, 'secrets' | 'cookiePrefix' | 'edgeEndpoints'>;
}

const flaws = [
  'a request is left out',
  'a field is taken no notice of',
  'somebody else has what is wanted',
  'somebody else refers to what goes',
] as const;

const accounts = Number(process.env['VERIFY_ACCOUNTS'] ?? sampleSize(8, 40));
const limitMs = 3_600_000;

test.each(profiles)(
  'under %s: what is verified is what a real apply leaves nothing to do after',
  async (profile) => {
    const reported = { verified: 0, not: 0 };
    await mustHold<Case>({
      on: fc.record({
        stacks: edited(profile),
        foreign: anyForeignStack(kinds),
        deeds: anyDrift,
        lost: fc.boolean(),
        flaw: fc.oneof(
          { weight: flaws.length, arbitrary: fc.constant<Flaw>({ is: 'none' }) },
          { weight: flaws.length, arbitrary: fc.record({ is: fc.constantFrom(...flaws), at: fc.nat(40) }) },
        ),
        service: fc.record({
          secrets: fc.constantFrom('clear' as const, 'empty' as const, 'masked' as const),
          cookiePrefix: fc.constantFrom('svc.' as const, 'empty' as const),
          edgeEndpoints: fc.constantFrom('shown' as const, 'hidden' as const),
        }),
      }),
      runs: accounts,
      limitMs,
      scenario: ({ stacks }) => asScenario(profile, stacks.before, stacks.after),
      holds: async ({ stacks, foreign, deeds, lost, flaw, service }) => {
        const emulator = createEmulator({ seed: 1, profile, ...service });
        const others = harness({ profile, emulator, stack: { name: 'others', id: '00000001' } });
        await others.apply((await others.plan(files(inProfile(profile, foreign)))).plan);
        const real = harness({ profile, emulator });
        const first = await real.plan(files(stacks.before));
        await real.apply(first.plan);
        await drift(emulator, kinds, deeds);
        // What neither memory nor the service tells of is not in the copy: the proof reports that it does not cover it.
        const isHidden = profile === 'documented' && service.edgeEndpoints === 'hidden';
        if (lost && !isHidden) real.loseState();
        await interfere(
          emulator,
          await real.look(await loadText(files(stacks.after), { kinds, profile })),
          stacks,
          flaw,
        );

        const { plan: whole, input, desired } = await real.plan(files(stacks.after));
        if (hasErrors(whole.diagnostics)) return;
        const plan = flawed(whole, flaw);
        const before = emulator.snapshot();
        const [count, state] = [emulator.count(), JSON.stringify(real.state())];
        const clone = cloneAccount(input);
        ignoreField(clone.emulator, plan, flaw);
        const verified = await verifyPlan({
          plan,
          input,
          scope: {
            wanted: new Set(desired.resources.map(({ kind }) => kind)),
            addresses: desired.resources.map(({ address }) => address),
          },
          clone,
        });
        expect([emulator.count(), emulator.snapshot(), JSON.stringify(real.state())]).toEqual([count, before, state]);

        ignoreField(emulator, plan, flaw);
        const outcome = await real.apply(plan);
        const again = await real.plan(files(stacks.after));
        const isDone = outcome.changes.every(({ ending }) => ending === 'done');
        const converges = isDone && !hasErrors(again.plan.diagnostics) && isEmptyPlan(again.plan);
        if (verified.converges !== converges)
          throw new Error(
            `verified: ${JSON.stringify(verified, null, 2)}\nbut really: ${JSON.stringify(outcome.changes)}\nleft:\n${printed(again.plan)}`,
          );
        reported[converges ? 'verified' : 'not'] += 1;
      },
    });
    // Of both there must have been some, or nothing was shown.
    expect(Math.min(reported.verified, reported.not)).toBeGreaterThan(accounts / 20);
    expect(reported.verified + reported.not).toBeGreaterThan(accounts * 0.9);
  },
  limitMs,
);

/** Somebody else takes a hostport that is wanted, or has clients show a certificate of an authority of ours; only where that can be seen. */
async function interfere(
  emulator: Emulator,
  { ours, complete }: Account,
  { after }: EditedStack,
  flaw: Flaw,
): Promise<void> {
  const isSeen = complete.has('HTTPSEdge') && (await send(emulator, 'GET', '/edges/https')).status === 200;
  if (!isSeen) return;
  if (flaw.is === 'somebody else has what is wanted') {
    const wanted = after.flatMap(({ kind, spec }) => (kind === 'HTTPSEdge' ? [spec['hostports'] ?? []].flat() : []));
    await send(emulator, 'POST', '/edges/https', {
      hostports: wanted.slice(flaw.at % Math.max(1, wanted.length)).slice(0, 1),
    });
  }
  if (flaw.is === 'somebody else refers to what goes') {
    const ids = [...ours.values()].flatMap(({ kind, id }) => (kind === 'CertificateAuthority' ? [id] : []));
    if (ids.length > 0)
      await send(emulator, 'POST', '/edges/https', { mutual_tls: { certificate_authority_ids: ids } });
  }
}

async function send(emulator: Emulator, method: string, path: string, body?: object): Promise<Answer> {
  const headers = { authorization: 'Bearer other', 'example-version': '2', 'content-type': 'application/json' };
  return emulator.handle({ method, path, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

/** The plan, one request short where the case requires it. */
function flawed(plan: Plan, flaw: Flaw): Plan {
  if (flaw.is !== 'a request is left out' || plan.steps.length === 0) return plan;
  const at = flaw.at % plan.steps.length;
  return { ...plan, steps: plan.steps.filter((_, index) => index !== at) };
}

/** Has a service take no notice of one of the fields that a plan writes. */
function ignoreField(emulator: Emulator, { steps }: Plan, flaw: Flaw): void {
  if (flaw.is !== 'a field is taken no notice of') return;
  const written = steps.flatMap(({ request }) => (request.method === 'PATCH' ? Object.keys(request.body ?? {}) : []));
  const name = written[flaw.at % Math.max(1, written.length)];
  if (name === undefined) return;
  emulator.intercept((exchange, next) => {
    if (exchange.method !== 'PATCH') return next();
    const body: unknown = JSON.parse(exchange.body);
    if (!isSpecObject(body)) return next();
    return next({ ...exchange, body: JSON.stringify({ ...body, [name]: undefined }) });
  });
}
