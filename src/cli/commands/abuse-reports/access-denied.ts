import { NotAllowed } from '../../../api/errors.ts';

/** The account was not granted access to abuse reports (exit 7). */
export class NoAbuseReports extends NotAllowed {
  constructor({ method, path, status, msg }: NotAllowed) {
    super({ method, path }, { status, msg }, 'ask the operator of the service for access');
    this.message = `this account may not use abuse reports: the service grants that to authorized accounts alone (it answered ${status}: ${msg})`;
  }
}
