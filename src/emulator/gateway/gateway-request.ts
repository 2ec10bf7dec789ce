/** A client certificate: the id of the authority that is taken to have issued it, or the certificate with what comes with it, as PEM. */
export type ShownCertificate = { readonly issuedBy: string } | { readonly chain: readonly string[] };

/** Somebody who signed in at an identity provider. */
export interface SignIn {
  /** The identity provider; undefined: whichever a route asks for. */
  readonly provider: string | undefined;
  readonly email: string;
  /** Groups, teams (`org/team`) and organizations. */
  readonly memberOf: readonly string[];
  /** Seconds since the sign-in, and since the last request. */
  readonly age: number;
  readonly idle: number;
}

/** A request as it arrives at an edge, with all that its sender shows. */
export interface GatewayRequest {
  /** Where it arrives: `shop.example.com:443`. */
  readonly hostport: string;
  /** The host that it asks for, by its Host header. */
  readonly host: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  readonly address: string;
  /** Such as `1.3`. */
  readonly tlsVersion: string;
  readonly certificate?: ShownCertificate;
  readonly signIns: readonly SignIn[];
}
