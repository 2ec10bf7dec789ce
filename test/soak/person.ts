import type { Draw } from './draw.ts';
import { again, pause } from './pause.ts';
import { personsKey, type Service } from './service.ts';

/** A person who changes and deletes what the stacks have made, through the API, until the signal aborts. Answers how often. */
export async function meddle({ emulator, url }: Service, draw: Draw, signal: AbortSignal): Promise<number> {
  let done = 0;
  await again(signal, async () => {
    await pause(draw.within(1_000, 5_000), signal);
    const { resources } = emulator.snapshot();
    const marked = resources.filter(({ spec }) => JSON.stringify(spec).includes('sluice'));
    if (marked.length === 0 || signal.aborted) return;
    const { kind, id, parent } = draw.one(marked);
    const path = `${paths[kind]?.replace('{}', parent ?? '') ?? ''}/${id}`;
    const change = draw.below(10);
    const [method, body] =
      change < 3 ? (['DELETE', undefined] as const) : (['PATCH', change < 4 ? unmarked : byHand(draw)] as const);
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${personsKey}`, 'example-version': '2', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await answer.body?.cancel();
    if (answer.ok) done += 1;
  });
  return done;
}

const paths: Readonly<Record<string, string>> = {
  HTTPSEdge: '/edges/https',
  HTTPSEdgeRoute: '/edges/https/{}/routes',
  ReservedAddr: '/reserved_addrs',
  EventSubscription: '/event_subscriptions',
};

const unmarked = { metadata: '' };

function byHand(draw: Draw): object {
  return { description: `by hand ${draw.below(1_000)}` };
}
