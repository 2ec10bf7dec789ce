import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { vi } from 'vitest';
import { interceptors } from 'undici';
import type { Io } from '../../src/cli/io.ts';
import * as exchanges from '../../src/api/connection/http-exchange.ts';
import * as copies from '../../src/refresh/mask-copied.ts';
import * as messages from '../../src/watch/notify/notification-message.ts';
import * as masks from '../../src/diagnostics/secret-mask.ts';
import * as external from '../../src/derive/external/mask-external.ts';
import * as outside from '../../src/derive/external/mask-outside.ts';
import * as states from '../../src/derive/stored/to-state.ts';
import * as identifying from '../../src/kinds/is-identifying.ts';
import { isSpecObject, OutsideValue, Secret, type SpecValue } from '../../src/kinds/value.ts';
import * as credentials from '../../src/manifest/check/own-credentials.ts';
import * as printable from '../../src/manifest/read/is-printable.ts';
import * as ids from '../../src/model/id.ts';
import * as drift from '../../src/plan/parts/part-of-plan.ts';
import * as accesses from '../../src/plan/exposure/access.ts';
import * as encoded from '../../src/plan/saved/encoded.ts';
import * as snapshots from '../../src/stack/snapshot/snapshot-text.ts';
import * as environment from '../../src/stack/settings/credential.ts';
import * as pipelines from '../../src/stack/settings/pipeline-run-url.ts';
import * as trust from '../../src/stack/settings/untrusted-settings.ts';
import * as addresses from '../../src/state/postgres/postgres-address.ts';

/** Opens a hole in the program for one test; what it answers is done to the world of each command. */
export type Hole = () => ((io: Partial<Io>) => Partial<Io>) | undefined;

/** Holes that others have had, by what is wrong. */
export const holes: Readonly<Record<string, Hole>> = {
  'sluice.yaml decides where the key is sent, also in a pipeline': () => {
    vi.spyOn(pipelines, 'isPipeline').mockReturnValue(false);
    vi.spyOn(trust, 'untrustedSettings').mockReturnValue({ requests: [], files: [] });
    return undefined;
  },
  'every value from outside may be shown': () => {
    vi.spyOn(printable, 'isPrintable').mockReturnValue(true);
    return undefined;
  },
  'the values of one format may be shown': () => {
    const real = printable.isPrintable;
    vi.spyOn(printable, 'isPrintable').mockImplementation(
      (origin, format, text) => format === 'email' || real(origin, format, text),
    );
    return undefined;
  },
  'a field that identifies something takes any value': () => {
    vi.spyOn(identifying, 'isIdentifying').mockReturnValue(false);
    vi.spyOn(OutsideValue.prototype, 'toString').mockImplementation(function (this: OutsideValue) {
      return this.reveal();
    });
    return undefined;
  },
  'what the service shows of such a field is not masked': () => {
    vi.spyOn(outside, 'maskOutside').mockImplementation((_, actual) => actual);
    forgetExternalValues();
    return undefined;
  },
  'masks search the text for the value of today': () => {
    vi.spyOn(outside, 'maskOutside').mockImplementation((_, actual, known) => maskedByText(actual, textsIn(known)));
    forgetExternalValues();
    return undefined;
  },
  'state keeps the text': () => {
    const real = states.toState;
    vi.spyOn(states, 'toState').mockImplementation((fields, spec) => real(fields, spec, (text) => text));
    return undefined;
  },
  'a saved plan keeps the text': () => {
    const real = encoded.encodeValue;
    vi.spyOn(encoded, 'encodeValue').mockImplementation((value) => real(value, (text) => text));
    return undefined;
  },
  'a snapshot keeps the text': () => {
    const real = snapshots.snapshotText;
    vi.spyOn(snapshots, 'snapshotText').mockImplementation(
      (given) => `${real(given)}${textsIn(given.resources.map(({ spec }) => spec)).join()}`,
    );
    return undefined;
  },
  'redirects are followed': () => (io) => ({
    ...io,
    ...(io.network === undefined ? {} : { network: io.network.compose(followingRedirects) }),
  }),
  'manifests may read credentials': () => {
    vi.spyOn(credentials, 'credentialComplaint').mockReturnValue(undefined);
    return undefined;
  },
  'ids are believed from answers': () => {
    vi.spyOn(ids, 'isId').mockReturnValue(true);
    const real = masks.maskOf;
    vi.spyOn(masks, 'maskOf').mockImplementation((secrets) => ({ ...real(secrets), finds: () => false }));
    return undefined;
  },
  'an error contains the body of its request': () => {
    const real = exchanges.exchange;
    vi.spyOn(exchanges, 'exchange').mockImplementation(async (outgoing, bounds) => {
      const incoming = await real(outgoing, bounds);
      if (incoming.status >= 300 && outgoing.body !== undefined) throw new Error(`refused: ${outgoing.body}`);
      return incoming;
    });
    return undefined;
  },
  'a webhook gets its secret in place of a signature': () => {
    const real = messages.notificationMessage;
    vi.spyOn(messages, 'notificationMessage').mockImplementation((news, shape, secret, now) => {
      const { headers, body } = real(news, shape, secret, now);
      return { headers: secret === undefined ? headers : { ...headers, 'sluice-signature': secret }, body };
    });
    return undefined;
  },
  'endpoints repeat what came from outside': () => {
    vi.spyOn(copies, 'maskCopied').mockImplementation((object) => object);
    return undefined;
  },
  'words of the service are repeated as they are': () => {
    vi.spyOn(masks, 'maskOf').mockReturnValue({ hide: (text) => text, finds: () => false });
    return undefined;
  },
  'env files of the stack contain credentials': () => {
    const real = environment.credential;
    vi.spyOn(environment, 'credential').mockImplementation((name, io) => {
      const [, text] = new RegExp(`^${name}=(.+)$`, 'm').exec(readFileSync(join(io.cwd, 'inside.env'), 'utf8')) ?? [];
      return text ?? real(name, io);
    });
    return undefined;
  },
  'an error repeats the URL of the state store': () => {
    const real = addresses.postgresAddress;
    vi.spyOn(addresses, 'postgresAddress').mockImplementation((text, from) => {
      try {
        return real(text, from);
      } catch {
        throw new Error(`${text} is not the URL of a PostgreSQL database`);
      }
    });
    return undefined;
  },
  'a hazard contains the values that are required': () => {
    vi.spyOn(accesses, 'askedInWords').mockImplementation(({ route, edge }) =>
      textsIn({ ...route?.spec, edge: { ...edge?.spec } }).join(),
    );
    return undefined;
  },
  'drift is shown as it is': () => {
    const real = drift.driftOnly;
    vi.spyOn(drift, 'driftOnly').mockImplementation((plan) => {
      const shown = real(plan);
      const named = (address: string): string => `${address} ${textsIn(plan.changes).join()}`;
      return {
        ...shown,
        changes: shown.changes.map((change) => ({
          ...change,
          address: named(change.address),
        })),
      };
    });
    return undefined;
  },
  'values can be inspected': () => {
    const inspected: { [inspect.custom]: () => string } = Secret.prototype;
    vi.spyOn(inspected, inspect.custom).mockImplementation(function (this: unknown) {
      return this instanceof Secret ? this.reveal() : '';
    });
    return undefined;
  },
};

/** What state remembers of values that were sent would hide such a hole. */
function forgetExternalValues(): void {
  vi.spyOn(external, 'maskExternal').mockReturnValue((_, actual) => actual);
}

const followingRedirects = interceptors.redirect({ maxRedirections: 3 });

function textsIn(value: unknown): string[] {
  if (value instanceof Secret) return [value.reveal()];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function maskedByText<T extends SpecValue>(value: T, texts: readonly string[]): T {
  if (typeof value === 'string')
    return (texts.includes(value) ? new OutsideValue(value, { from_env: 'X' }) : value) as T;
  if (Array.isArray(value)) return value.map((item: SpecValue) => maskedByText(item, texts)) as unknown as T;
  if (!isSpecObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskedByText(item, texts)])) as T;
}
