import { isSpecObject, type SpecObject, textOf } from '../../kinds/value.ts';
import { referenceUri } from '../forms/read-form.ts';
import { base62 } from '../ids.ts';
import { timeOf, type EmulatorWorld } from '../world.ts';

const kind = 'Endpoint';

/** Makes the endpoints of one server, an edge or an agent, be these and no others. One that stays keeps its id. */
export function serveEndpoints(server: string, wanted: readonly SpecObject[], world: EmulatorWorld): void {
  const { account, chance, settings } = world;
  const now = timeOf(settings.clock());
  const ids = new Map(
    wanted.map((own) => [`ep_${base62(chance.bytes('endpoint', server, textOf(own['public_url'])))}`, own]),
  );
  const before = (account.notes.get(noteOf(server)) ?? '').split(' ').filter((id) => id !== '');
  for (const id of before) {
    const gone = ids.has(id) ? undefined : account.get(kind, id);
    if (gone !== undefined) account.remove(gone);
  }
  for (const [id, own] of ids) {
    const there = account.get(kind, id);
    const { updated_at: _, ...same } = there?.own ?? {};
    if (there === undefined)
      account.put({ kind, id, seq: account.created++, created_at: now, spec: {}, own: { ...own, updated_at: now } });
    else if (JSON.stringify(same) !== JSON.stringify(own)) account.put({ ...there, own: { ...own, updated_at: now } });
  }
  if (ids.size === 0) account.notes.delete(noteOf(server));
  else account.notes.set(noteOf(server), [...ids.keys()].join(' '));
}

/** An edge endpoint shows its edge as a Ref into the family that the edge is of; one at a reserved address shows the address. */
export function showEndpoint(read: SpecObject, { account, families }: EmulatorWorld, origin: string): SpecObject {
  const { edge, proto, hostport } = read;
  const refTo = (family: string, id: string) => ({ id, uri: referenceUri(families, family, id, origin) });
  if (isSpecObject(edge)) return { ...read, edge: refTo('HTTPSEdge', textOf(edge['id'])) };
  const address = proto === 'tcp' ? account.all('ReservedAddr').find(({ own }) => own['addr'] === hostport) : undefined;
  return address === undefined ? read : { ...read, tcp_addr: refTo('ReservedAddr', address.id) };
}

function noteOf(server: string): string {
  return `endpoints ${server}`;
}
