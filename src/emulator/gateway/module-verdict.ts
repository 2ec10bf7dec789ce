import type { SpecObject } from '../../kinds/value.ts';
import type { FrontDoor } from './front-door.ts';
import type { GatewaySettings } from './gateway-options.ts';
import type { GatewayRequest } from './gateway-request.ts';

/** What a module does with a request, and why. */
export interface ModuleVerdict {
  readonly does: 'passes' | 'refuses' | 'requires sign-in' | 'answers' | 'changes';
  readonly because: string;
  /** Of a refusal. */
  readonly status?: number;
}

/** Everything besides its own settings that a module may depend on. */
export interface ModuleContext {
  readonly request: GatewayRequest;
  readonly door: FrontDoor;
  readonly settings: GatewaySettings;
  readonly now: Date;
}

/** What a module does with a request. */
export type ModuleCheck = (module: SpecObject, context: ModuleContext) => ModuleVerdict;

/** The request goes on. */
export function passes(because: string): ModuleVerdict {
  return { does: 'passes', because };
}

/** The request ends here. */
export function refuses(because: string, status = 403): ModuleVerdict {
  return { does: 'refuses', because, status };
}
