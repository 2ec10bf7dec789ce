import type { ApplyEvent } from '../../model/outcome.ts';
import type { EventJson } from './event-json-schema.ts';
import { changeOutcomeJson } from './outcome-json.ts';

/** Something that happened during an apply, as a line of `--events`. */
export function eventJson(event: ApplyEvent, time: string): EventJson {
  switch (event.type) {
    case 'started':
      return { type: 'request_started', time, address: event.address, action: event.action, request: event.step };
    case 'waiting':
      return { type: 'waiting', time, address: event.address, reason: event.why };
    case 'finished':
      return { type: 'change_finished', time, ...changeOutcomeJson(event.outcome) };
  }
}
