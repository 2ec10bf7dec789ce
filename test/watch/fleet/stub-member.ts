import type { FleetStack } from '../../../src/model/status/fleet-status.ts';
import type { FleetMember } from '../../../src/watch/fleet/fleet-member.ts';
import { textReply } from '../../../src/watch/status/reply.ts';

/** A stack of a fleet that does nothing, and what was asked of it. */
export interface StubMember extends FleetMember {
  readonly seen: string[];
  isHeld: boolean;
  isStopped: boolean;
  /** Lets `stop` resolve. */
  readonly letGo: () => void;
}

/** A stack that answers on its own page with what it was asked, and takes approvals there. */
export function stubMember(stack: FleetStack, takesApprovals = true): StubMember {
  let letGo = (): void => undefined;
  const left = new Promise<void>((done) => (letGo = done));
  const own: StubMember = {
    seen: [],
    isHeld: false,
    isStopped: false,
    letGo: () => letGo(),
    stack: () => stack,
    reporting: () => undefined,
    find: (part) => () => textReply(200, `${stack.path} ${part}`),
    findPost: (part) =>
      takesApprovals && part === '/approve' ? () => Promise.resolve(textReply(202, stack.path)) : undefined,
    fileSeen: (version) => own.seen.push(version),
    divided: {
      claim: () => (own.isHeld ? 'holds' : 'awaits'),
      isLeaving: () => false,
      trouble: () => undefined,
      intervalMs: () => 300_000,
      attempt: () => undefined,
      release: () => undefined,
      setElsewhere: () => undefined,
    },
    stop: () => {
      own.isStopped = true;
      return left;
    },
  };
  return own;
}
