/** Every code a diagnostic may carry, with what it means. Codes are stable: they are part of the users' contract. */
export const codes = {
  // Facts of the kinds (kinds/checks.ts and beside them)
  UNKNOWN_FIELD: 'a field that the kind does not have',
  WRONG_TYPE: 'a value of another type than the field takes',
  MISSING_FIELD: 'a field that must be given',
  NOT_ONE_OF: 'a value outside the list of allowed ones',
  OUT_OF_RANGE: 'a number outside its bounds',
  TOO_LONG: 'text longer than the API allows',
  TOO_FEW: 'a list with too few entries',
  EMPTY: 'empty text where something must stand',
  NOT_UNIQUE: 'an entry that stands in its list twice',
  READ_ONLY: 'a field that the service decides',
  BAD_FORM: 'text of the wrong form',
  BAD_HOSTPORT: 'not a hostname:port',
  BAD_MATCH: 'not a path, host, or host with path',
  BAD_REGEX: 'not a regular expression',
  BAD_HEADER: 'not a legal HTTP header',
  HEADER_TWICE: 'one header named twice in different case',
  BAD_CA_PEM: 'not the certificate of an authority',
  BAD_PUBLIC_KEY: 'not an OpenSSH public key',
  BAD_VALIDITY: 'a validity that ends before it begins',
  BAD_XML: 'not XML',
  BAD_POLICY: 'not JSON or YAML',
  NEEDS_OTHER_FIELD: 'a field that stands only beside another',
  EXACTLY_ONE: 'not exactly one of several fields',
  ONE_MODULE_OF_A_KIND: 'two modules of which only one may be enabled',
  NO_MIN_VERSION_UPSTREAM: 'a TLS version where TLS ends elsewhere',
  WEBHOOK_NEEDS_SECRET: 'a webhook provider without its secret',
} as const;

/** One of the codes above. */
export type Code = keyof typeof codes;
