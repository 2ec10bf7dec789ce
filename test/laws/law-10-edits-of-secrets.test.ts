/*
 * Law 10 where the service hides secrets: whatever a person edits, whatever `lifecycle.ignore` lists meanwhile, and however a
 * request ends, a plan that finds nothing to do is true: the service has the secret of the manifest.
 *
 * Broken on purpose in a copy, and found here: state that records the manifest's value of an ignored field, and state that
 * keeps the digest of a secret while a request changes it.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { harness, printed, type Harness } from '../support/harness.ts';
import { mustHold } from '../support/law.ts';
import { sampleSize } from '../support/samples.ts';
import { signInRoute } from '../support/sign-in-route.ts';
import { storedSecrets } from '../support/stored-secrets.ts';
import { profiles } from './cases.ts';

const secrets = ['first-secret-4711', 'second-secret-4712'] as const;
const updates = new Set(['PATCH', 'PUT']);
const ways = ['done', 'answer lost', 'not carried out', 'refused'] as const;

/** A manifest as a person leaves it, and how its apply ends. */
interface Edit {
  readonly secret: (typeof secrets)[number];
  readonly client: string;
  readonly ignore: readonly string[];
  readonly ends: (typeof ways)[number];
}

const edit: fc.Arbitrary<Edit> = fc.record({
  secret: fc.constantFrom(...secrets),
  // Mostly, only the secret and what is ignored change: another difference would send the module anyway.
  client: fc.constantFrom('app', 'app', 'app', 'other'),
  ignore: fc.constantFrom([], [], [], ['/oidc/client_secret'], ['/oidc']),
  ends: fc.constantFrom(...ways),
});

/** Has updates end in a way; returns what ends that. */
function ending({ emulator }: Harness, how: Edit['ends']): () => void {
  return emulator.intercept(async (exchange, next) => {
    if (!updates.has(exchange.method) || how === 'done') return next();
    if (how === 'answer lost') await next();
    return { status: how === 'refused' ? 400 : 500, headers: {}, body: '{"msg": "trouble"}' };
  });
}

test.each(profiles.flatMap((profile) => (['masked', 'empty'] as const).map((how) => ({ profile, how }))))(
  'under $profile, with secrets that read $how',
  async ({ profile, how }) => {
    await mustHold({
      on: fc.tuple(edit, fc.array(edit, { minLength: 1, maxLength: 5 })),
      runs: sampleSize(40, 400),
      scenario: ([first, edits]) => JSON.stringify([first, ...edits]),
      holds: async ([first, edits]) => {
        const walk = harness({ profile, service: { secrets: how } });
        await walk.converge(signInRoute(first));
        for (const one of edits) {
          const { plan } = await walk.plan(signInRoute(one));
          if (plan.steps.length === 0 && !one.ignore.some((pointer) => pointer.startsWith('/oidc')))
            expect(storedSecrets(walk), printed(plan)).toEqual([one.secret]);
          const heal = ending(walk, one.ends);
          await walk.apply(plan);
          heal();
        }
        const last = { ...first, ...edits.at(-1), ignore: [] };
        await walk.converge(signInRoute(last));
        expect(storedSecrets(walk)).toEqual([last.secret]);
      },
    });
  },
);
