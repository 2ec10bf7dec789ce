import * as z from 'zod';
import { SluiceError, StateError } from '../../diagnostics/errors.ts';
import type { FileText } from '../../files/safe-file.ts';
import type { KeptDocument } from '../backend.ts';
import { runAgain } from '../lock-hint.ts';
import { drawId } from './lease-record.ts';
import type { LeaseTime } from '../lease/lease-time.ts';
import { objectNames, type RemoteStore, type StoredObject } from './remote-store.ts';
import { patienceFor, settledSwap } from './settled-swap.ts';
import { parsedJson } from '../../model/json-object.ts';

const content = z.strictObject({ id: z.string(), text: z.string() });

const most = { ms: 10_000, conflicts: 50 };

/** A document in a store that several machines share: of two changes at once, the second is made to what the first left. */
export function remoteDocument(store: RemoteStore, documentName: string, time: LeaseTime): KeptDocument {
  const name = `${objectNames.documents}${documentName}`;
  let known = '';
  return {
    location: `${store.location}, ${documentName}`,
    pollMs: 5_000,
    read: async () => textIn(await readable(store, name)),
    version: async () => {
      try {
        known = (await store.read(name))?.version ?? 'absent';
      } catch {
        // Whoever reads it next learns that the store is unavailable.
      }
      return known;
    },
    update: async (change) => {
      await store.prepare();
      const patience = patienceFor(time, most.ms);
      for (let conflicts = 0; conflicts < most.conflicts; conflicts++) {
        const found = await store.read(name);
        const bytes = Buffer.from(JSON.stringify({ id: drawId(), text: change(textIn(found)) }));
        const wanted = { name, expected: found?.version, bytes };
        if ((await settledSwap(store, wanted, patience)) !== undefined) return;
      }
      throw new StateError('STATE_CHANGED', `${documentName} in ${store.location} keeps changing`, runAgain);
    },
  };
}

/** An outage is a fact about the document, too: what cannot be read may contain a pause. */
async function readable(store: RemoteStore, name: string): Promise<StoredObject | FileText | undefined> {
  try {
    return await store.read(name);
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    return { code: 'FILE_UNREADABLE', message: `cannot be read (${error.message})` };
  }
}

function textIn(found: StoredObject | FileText | undefined): FileText {
  if (found === undefined) return { code: 'FILE_NOT_FOUND', message: 'does not exist' };
  if (!('bytes' in found)) return found;
  const read = content.safeParse(parsedJson(Buffer.from(found.bytes).toString('utf8')));
  return read.success ? { text: read.data.text } : { code: 'INVALID_TEXT', message: 'has invalid content' };
}
