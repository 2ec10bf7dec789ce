/** What a request is answered with. */
export interface Reply {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A reply of one line. */
export function textReply(status: number, text: string): Reply {
  return { status, type: 'text/plain', body: `${text}\n` };
}
