import * as z from 'zod';
import { answered, answerOf, noContent, notFound, Refusal, type Answer } from '../answer.ts';
import type { ServiceClock } from '../service-clock.ts';
import type { Emulator } from '../emulator.ts';
import type { EmulatorRequest } from '../http/exchange.ts';
import { accountIn } from '../account/account-data.ts';
import { controlPrefix, admitToControl } from './admission.ts';
import type { FaultBoard } from './fault-board.ts';
import { agentSetup } from '../agents/agents.ts';
import { parsedJson } from '../../model/json-object.ts';

/** What the control endpoints work on. */
export interface Controlled {
  readonly emulator: Emulator;
  readonly clock: ServiceClock;
  readonly faults: FaultBoard;
  /** Asked for here too, where the API asks for one. */
  readonly apiKey: string | undefined;
}

type Endpoint = (body: unknown, id: string) => Answer;

const clockChange = z.union([
  z.strictObject({ advance: z.number().min(0).max(3_155_760_000) }),
  z.strictObject({ now: z.iso.datetime({ offset: true }) }),
]);
const faultList = z.strictObject({ faults: z.array(z.string()).max(1000) });
/** Null: certificates of the domain no longer fail. */
const certificateFailure = z.strictObject({
  domain: z.string(),
  failure: z.enum(['INTERNAL_ERROR', 'DNS_ERROR']).nullable(),
});

/** Answers requests to the emulator's own endpoints, outside the API: agents, faults, the clock, the account. */
export function control({ emulator, clock, faults, apiKey }: Controlled): (request: EmulatorRequest) => Answer {
  const faultsNow = (): Answer => shown({ requests: emulator.count(), faults: faults.set() });
  const clockNow = (): Answer => shown({ now: clock.now().toISOString(), frozen: clock.frozen });

  const endpoints: Readonly<Record<string, Endpoint>> = {
    'GET agents': () => shown({ agents: emulator.agents().map(({ id, own }) => ({ id, ...own })) }),
    'POST agents': taking(agentSetup, (setup) => shown({ id: emulator.addAgent(setup) }, 201)),
    'DELETE agents/': (_, id) => {
      if (!emulator.removeAgent(id)) throw notFound();
      return noContent;
    },
    'GET faults': faultsNow,
    'PUT faults': taking(faultList, (list) => {
      faults.replace(list.faults);
      return faultsNow();
    }),
    'DELETE faults': () => {
      faults.replace([]);
      return noContent;
    },
    'GET clock': clockNow,
    'POST clock': taking(clockChange, (change) => {
      const seconds = 'advance' in change ? change.advance : (Date.parse(change.now) - clock.now().getTime()) / 1000;
      if (seconds < 0) throw new Refusal(400, 'INVALID_TIME', 'The clock cannot be set back to an earlier time.');
      clock.advance(seconds);
      return clockNow();
    }),
    'GET account': () => shown(emulator.snapshot()),
    'PUT account': (body) => {
      const account = accountIn(body);
      if (account === undefined) throw new Refusal(400, 'INVALID_ACCOUNT', 'The body is not an emulator account.');
      emulator.restore(account);
      return noContent;
    },
    'POST certificates': taking(certificateFailure, ({ domain, failure }) => {
      emulator.failCertificates(domain, failure ?? undefined);
      return noContent;
    }),
  };

  return (request) =>
    answerOf(
      () => perform(request),
      () => 'op_control',
    );

  function perform(request: EmulatorRequest): Answer {
    admitToControl(request, apiKey);
    const { method, path, body = '' } = request;
    const [name = '', id] = path.slice(controlPrefix.length).split('/');
    const endpoint = endpoints[`${method} ${name}${id === undefined ? '' : '/'}`];
    if (endpoint === undefined) throw notFound();
    const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
    const value = text === '' ? {} : parsedJson(text);
    if (value === undefined) throw new Refusal(400, 'MALFORMED_JSON', 'The body is not JSON.');
    return endpoint(value, id ?? '');
  }
}

function taking<T>(form: z.ZodType<T>, act: (value: T) => Answer): Endpoint {
  return (body) => {
    const read = form.safeParse(body);
    if (!read.success) throw new Refusal(400, 'INVALID_BODY', z.prettifyError(read.error));
    try {
      return act(read.data);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      throw new Refusal(400, 'INVALID_BODY', error instanceof Error ? error.message : 'The request failed.');
    }
  };
}

function shown(value: unknown, status = 200): Answer {
  return answered(status, `${JSON.stringify(value)}\n`);
}
