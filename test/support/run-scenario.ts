import { expect } from 'vitest';
import { parse } from 'yaml';
import { InvalidInput, Refused, SluiceError } from '../../src/diagnostics/errors.ts';
import { hasErrors } from '../../src/diagnostics/diagnostic.ts';
import type { EmulatorOptions } from '../../src/emulator/options.ts';
import { kinds } from '../../src/kinds/index.ts';
import type { Account } from '../../src/model/actual.ts';
import { isEmptyPlan, type Plan } from '../../src/model/plan/plan.ts';
import { accountForm } from './account-form.ts';
import { gapsIn } from './front-door.ts';
import { harness, printed, type Harness } from './harness.ts';
import { essencesOf } from './plan-essence.ts';
import { readScenario, type Block, type ScenarioStep } from './scenario-text.ts';
import { readAfterEachWrite } from './write-readings.ts';

type PlanStep = Extract<ScenarioStep, { does: 'plan' }>;
type ApiStep = Extract<ScenarioStep, { does: 'api' }>;

/** Walks a scenario from top to bottom. Answers what each plan printed; where `update` is set, it is not insisted on. */
export async function runScenario(markdown: string, update: boolean): Promise<ReadonlyMap<Block, string>> {
  const { steps } = readScenario(markdown);
  const service =
    steps.flatMap((step) => (step.does === 'setup' ? [parse(step.text) as EmulatorOptions] : []))[0] ?? {};
  const walk = new Walk(service);
  const blocks = new Map<Block, string>();
  for (const step of steps) {
    try {
      if (step.does === 'manifests') walk.files.set(step.file, step.text);
      else if (step.does === 'lose state') walk.lived.loseState();
      else if (step.does === 'lose file') expect(walk.lived.files.delete(step.file), step.file).toBe(true);
      else if (step.does === 'time') walk.moment = step.moment;
      else if (step.does === 'api') await walk.callApi(step);
      else if (step.does === 'plan') {
        const text = await walk.plan(step);
        blocks.set(step.block, text);
        if (!update) expect(text).toBe(step.text);
      }
    } catch (error) {
      if (error instanceof Error) error.message = `at the block in line ${step.line}: ${error.message}`;
      throw error;
    }
  }
  return blocks;
}

class Walk {
  readonly files = new Map<string, string>();
  readonly lived: Harness;
  /** The time of day, for the service too; that of this machine until the scenario says otherwise. */
  moment: number | undefined;
  readonly #service: EmulatorOptions;
  readonly #ids = new Map<string, string>();

  constructor(service: EmulatorOptions) {
    this.#service = { ...service, clock: () => new Date(this.#time()) };
    this.lived = this.#harness({});
  }

  #harness(more: EmulatorOptions): Harness {
    const { profile } = this.#service;
    const service = { ...this.#service, ...more };
    return harness({ ...(profile === undefined ? {} : { profile }), service, time: () => this.#time() });
  }

  #time(): number {
    return this.moment ?? Date.now();
  }

  /** What the plan prints; unless it is blocked or refused, it is then applied, and everything that must be so is checked. */
  async plan(step: PlanStep): Promise<string> {
    const { lived } = this;
    const files = Object.fromEntries(this.files);
    const planned = await refusal(() => lived.plan(files));
    if (typeof planned === 'string') {
      expect(step.flags, planned).toContain('refused');
      return planned;
    }
    expect(step.flags).not.toContain('refused');
    const { plan } = planned;
    if (!step.flags.includes('state') && lived.state() !== undefined) {
      const without = await lived.plan(files, { withoutState: true });
      const [one, other] = essencesOf(plan, without.plan);
      expect(other, 'the plan without the state file').toEqual(one);
    }
    const isBlocked = plan.changes.some(({ blocked }) => blocked !== undefined);
    expect(new Set(plan.steps.map(({ id }) => id)).size, 'no step stands in the plan twice').toBe(plan.steps.length);
    expect(isBlocked, 'whether the plan is blocked').toBe(step.flags.includes('blocked'));
    if (isBlocked) await this.#mustRefuse(plan);
    else await this.#carryOut(plan, files);
    return shortIds(printed(plan, kinds, step.flags.includes('requests')) + remarks(plan));
  }

  async callApi({ method, path, text }: ApiStep): Promise<void> {
    const named = (source: string) =>
      source.replace(/\{([A-Za-z]+(?:\/[^}\s]+)?)\}/g, (whole, name: string) => this.#ids.get(name) ?? whole);
    const { status, body } = await this.lived.emulator.handle({
      method,
      path: named(path),
      headers: { authorization: 'Bearer other', 'example-version': '2', 'content-type': 'application/json' },
      ...(text.trim() === '' ? {} : { body: named(text) }),
      actor: 'other',
    });
    if (status >= 400) throw new Error(`${method} ${path} was answered ${status} ${body}`);
    const { id } = (body === '' ? {} : JSON.parse(body)) as { id?: string };
    if (method === 'POST' && id !== undefined) this.#ids.set('last', id);
  }

  async #mustRefuse(plan: Plan): Promise<void> {
    const before = this.lived.emulator.snapshot();
    await expect(this.lived.apply(plan)).rejects.toThrow(Refused);
    expect(this.lived.emulator.snapshot()).toEqual(before);
  }

  async #carryOut(plan: Plan, files: Record<string, string>): Promise<void> {
    const watch = readAfterEachWrite(this.lived.emulator, 1);
    const { changes } = await this.lived.apply(plan);
    watch.stop();
    expect(changes.filter(({ ending }) => ending !== 'done')).toEqual([]);
    expect(gapsIn(watch.readings)).toEqual([]);
    const { plan: again, account } = await this.lived.plan(files);
    expect(isEmptyPlan(again), `nothing is left to do, but:\n${printed(again, kinds)}`).toBe(true);
    for (const [address, { id }] of account.ours) this.#ids.set(address, id);
    const fresh = this.#harness({ seed: 2 });
    const anew = await fresh.converge(files);
    expect(await formOf(this.lived, account, again)).toEqual(await formOf(fresh, anew.account, again));
  }
}

/** The messages of a plan that cannot be made, instead of the plan. */
async function refusal<T extends { readonly plan: Plan }>(make: () => Promise<T>): Promise<T | string> {
  try {
    const made = await make();
    const { diagnostics } = made.plan;
    return hasErrors(diagnostics) ? reported(new InvalidInput(diagnostics)) : made;
  } catch (error) {
    if (error instanceof SluiceError) return reported(error);
    throw error;
  }
}

function reported(error: SluiceError): string {
  const lines =
    error instanceof InvalidInput
      ? error.diagnostics
          .filter(({ severity }) => severity === 'error')
          .map(
            ({ code, message, hint, place }) =>
              `${place?.file ?? ''}:${place?.line ?? 0} ${code} ${message}${hint === undefined ? '' : `\n    ${hint}`}`,
          )
      : [`${error.code} ${error.message}`];
  return shortIds(`${lines.join('\n')}\n`);
}

/** What the plan remarks beside its changes. */
function remarks({ diagnostics }: Plan): string {
  const lines = diagnostics.map(({ severity, address, message }) => `${severity}: ${address ?? ''} ${message}\n`);
  return lines.length === 0 ? '' : `\n${lines.join('')}`;
}

function shortIds(text: string): string {
  return text.replace(/\b([a-z]+)_[0-9A-Za-z]{27}\b/g, '$1_…').replace(/\baddr \S+/g, 'addr …');
}

/** What there is of ours, but for held fields; where metadata cannot be updated, markers are only kept in state. */
async function formOf({ emulator, profile }: Harness, account: Account, plan: Plan): Promise<Record<string, unknown>> {
  const all = await accountForm(emulator, {
    kinds,
    markers: profile === 'completed',
    addresses: new Map([...account.ours].map(([address, { id }]) => [id, address])),
    held: new Map(plan.changes.map(({ address, unmanagedFields }) => [address, Object.keys(unmanagedFields)])),
  });
  return Object.fromEntries(Object.entries(all).filter(([address]) => account.ours.has(address)));
}
