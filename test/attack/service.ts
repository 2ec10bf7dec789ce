import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import type { Dispatcher } from 'undici';
import { attackersUrl, operatorsUrl } from '../support/hostile-network.ts';
import type { Dice } from './dice.ts';
import { platformUrl } from './loot.ts';

/** A request that left the process. */
export interface SentRequest {
  readonly origin: string;
  readonly method: string;
  readonly path: string;
  readonly headers: string;
  readonly body: string;
}

/** The operator's service and whatever else has a name, in memory, with all that was sent to them. */
export interface WitnessedNetwork {
  readonly network: Dispatcher;
  readonly operators: Emulator;
  readonly sent: readonly SentRequest[];
}

/** Makes the network of an attack; the service may be in league with it. */
export function witnessedNetwork(key: string, seed: number, dice: Dice): WitnessedNetwork {
  const operators = createEmulator({ apiKey: key, seed });
  const others = createEmulator({ seed });
  const sent: SentRequest[] = [];
  misbehave(operators, dice);
  const [own, foreign, platform] = [operators.dispatcher(), others.dispatcher(), commenting()];
  const network = own.compose((dispatch) => (options, handler) => {
    const origin = String(options.origin);
    const body = typeof options.body === 'string' ? options.body : '';
    sent.push({ origin, method: options.method, path: options.path, headers: JSON.stringify(options.headers), body });
    if (origin === operatorsUrl) return dispatch(options, handler);
    return (origin === platformUrl ? platform : foreign).dispatch(options, handler);
  });
  return { network, operators, sent };
}

/** A platform with a pull request that nobody has commented on. */
function commenting(): Dispatcher {
  const platform = createEmulator();
  platform.intercept(({ method, path }) => {
    const isList = method === 'GET' && path.includes('/comments');
    const body = JSON.stringify(isList ? [] : { id: 1 });
    return Promise.resolve({ status: 200, headers: { 'content-type': 'application/json' }, body });
  });
  return platform.dispatcher();
}

/** Half of the services are honest; the others try to have the key sent elsewhere, or secrets shown. */
function misbehave(service: Emulator, dice: Dice): void {
  if (dice.odds(0.5)) return;
  const how = dice.one([
    'leads away',
    'redirects',
    'quotes requests',
    'gives wild ids',
    'has foreign addresses',
    'gives requests as ids',
  ]);
  const at = dice.one([0, 1, 2, 5]);
  const [wild, location] = [dice.one(wildIds), dice.one([attackersUrl, `//attacker.example/x`, `${operatorsUrl}/x`])];
  let writes = 0;
  service.intercept(async ({ method, body }, go) => {
    const isRead = method === 'GET';
    if (how === 'redirects' && (isRead ? at === 0 : writes++ === at))
      return { status: dice.one([301, 302, 307, 308]), headers: { location: `${location}/x` }, body: '' };
    if (how === 'quotes requests' && !isRead && writes++ % 3 === at % 3) {
      const msg = `cannot take ${JSON.stringify(body)}`;
      const [words, type] = dice.odds(0.5) ? [JSON.stringify({ msg }), 'application/json'] : [msg, 'text/plain'];
      return { status: dice.one([400, 422, 500]), headers: { 'content-type': type }, body: words };
    }
    const answer = await go();
    if (answer.status >= 300) return answer;
    if (how === 'leads away' && isRead)
      return {
        ...answer,
        body: answer.body.replace(/"next_page_uri":(null|"[^"]*")/, `"next_page_uri":"${location}"`),
      };
    if (how === 'has foreign addresses')
      return { ...answer, body: answer.body.replaceAll('"uri":"', `"uri":"${attackersUrl}`) };
    if (how === 'gives wild ids' && method === 'POST')
      return { ...answer, body: answer.body.replace(/"id":"[^"]*"/, `"id":${JSON.stringify(wild)}`) };
    if (how === 'gives requests as ids' && method === 'POST')
      return {
        ...answer,
        body: answer.body.replace(/"id":"[^"]*"/, `"id":${JSON.stringify(textIn(body, at + writes++))}`),
      };
    return answer;
  });
}

/** One of the texts in a request, or the whole of it. */
function textIn(body: unknown, at: number): string {
  const whole = JSON.stringify(body);
  const all = [...whole.matchAll(/:"([^"]+)"/g)].flatMap(([, text]) => text ?? []).concat(whole);
  return all[at % all.length] ?? whole;
}

const wildIds = [
  '..',
  '.',
  '../https_edges',
  'a/../../b?c=d',
  'x#y',
  `@attacker.example`,
  '%2e%2e%2f',
  ' ',
  'a\r\nx: y',
  '',
];
