import { NotAllowed } from '../../../api/api-errors.ts';

/** The account is not authorized to use abuse reports (exit 7). */
export class NoAbuseReports extends NotAllowed {
  constructor({ method, path, status, msg }: NotAllowed) {
    super({ method, path }, { status, msg }, 'ask the operator of the service for access');
    this.message = `the account is not authorized to use abuse reports (the service returned ${status}: ${msg})`;
  }
}
