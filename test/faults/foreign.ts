/** What somebody else has in the same account: never ours to touch. */
export const foreignResources: readonly { readonly path: string; readonly body: Readonly<Record<string, unknown>> }[] =
  [
    { path: '/reserved_addrs', body: { region: 'eu', description: 'Theirs' } },
    { path: '/edges/https', body: { hostports: ['theirs.example.com:443'], description: 'Theirs' } },
    { path: '/event_subscriptions', body: { sources: [{ type: 'edge_updated.v0' }], metadata: 'theirs' } },
    { path: '/agent_ingresses', body: { domain: 'theirs.example.com' } },
  ];
