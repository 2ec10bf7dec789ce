import { afterAll, beforeAll, describe } from 'vitest';
import { stateServices, type StateService } from './state-services.ts';

/** What the names of tests end in that take long: nothing where `npm run test:stores` asks for them. */
export const notAsked =
  process.env['SLUICE_STORE_ROUNDS'] === undefined ? ' (left out: `npm run test:stores` asks for it)' : '';

/** Describes what is so with each service that keeps the state of stacks; the service runs meanwhile. */
export function describeServices(
  what: string,
  leftOut: string,
  tests: (service: () => StateService, name: string) => void,
): void {
  for (const { name, skipped, start } of stateServices)
    describe.skipIf(skipped + leftOut !== '')(`${what} ${name}${skipped}${leftOut}`, () => {
      let service: StateService | undefined;

      beforeAll(async () => {
        service = await start();
      });

      afterAll(() => service?.stop());

      tests(() => {
        if (service === undefined) throw new Error(`${name} has not started`);
        return service;
      }, name);
    });
}
