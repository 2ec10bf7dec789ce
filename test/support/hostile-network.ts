import { Agent, type Dispatcher } from 'undici';
import { onTestFinished } from 'vitest';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import { httpService, json, type HttpService } from './http-service.ts';

/** The address of the operator's service on this network. */
export const operatorsUrl = 'https://api.operator.example';
/** An address that leads to the attacker, as every other one does. */
export const attackersUrl = 'https://api.attacker.example';

/** A network of two real services: the operator's, and behind every other name the attacker's. */
export interface HostileNetwork {
  readonly network: Dispatcher;
  readonly operators: Emulator;
  readonly attackers: HttpService;
}

/** Sets the two up for one test; the operator's service takes this key. */
export async function hostileNetwork(key: string): Promise<HostileNetwork> {
  const operators = createEmulator({ apiKey: key });
  const { url, close } = await operators.listen();
  const attackers = await httpService((_, response) => json(response, 200, {}));
  const agent = new Agent();
  onTestFinished(async () => {
    await agent.destroy();
    await close();
  });
  const network = agent.compose((dispatch) => (options, handler) => {
    const origin = String(options.origin) === operatorsUrl ? url : attackers.url;
    return dispatch({ ...options, origin }, handler);
  });
  return { network, operators, attackers };
}
