import type { Profile, KindSet } from '../kinds/kind.ts';
import type { HostportSharing } from './behaviours/hostport-sharing.ts';
import type { Normalization } from './forms/normalizations.ts';

/** In which of the ways that services differ the emulator behaves. */
export interface EmulatorOptions extends HostportSharing {
  /** By default the kinds of sluice. */
  readonly kinds?: KindSet;
  /** `documented` offers only the described operations and enforces only the described rules. */
  readonly profile?: Profile;
  /** Makes the version header: `example` gives `Example-Version: 2`. */
  readonly vendor?: string;
  /** The one key that passes; when absent any bearer does. */
  readonly apiKey?: string;
  /** Makes ids and signing keys the same in every run. */
  readonly seed?: string | number;
  readonly clock?: () => Date;
  /** `as-sent` turns the read-back traps off (decisions/0006). */
  readonly readBack?: 'service' | 'as-sent';
  /** In which ways what was sent is rewritten, beside `readBack`. */
  readonly normalize?: readonly Normalization[];
  /** What oidc and saml show for an unset cookie prefix. */
  readonly cookiePrefix?: 'svc.' | 'empty';
  /** How secrets are shown in answers. */
  readonly secrets?: 'clear' | 'empty' | 'masked';
  /** Only ids in `externals` pass for families that this API does not manage. */
  readonly strictRefs?: boolean;
  readonly externals?: readonly string[];
  /** Whether `/endpoints` shows what edges serve. */
  readonly edgeEndpoints?: 'shown' | 'hidden';
  readonly nextPageUri?: 'absolute' | 'path';
  /** Entries on a list page when the request names no limit. */
  readonly pageSize?: number;
  readonly listOrder?: ListOrder;
  /** Whether the key may file abuse reports. */
  readonly abuseReports?: 'granted' | 'refused';
  /** How many requests the log keeps at least, with their bodies; 0: none. */
  readonly logKept?: number;
  /** Whether an update with an empty description or metadata clears that field of a route (decisions/0004). */
  readonly emptyRouteFields?: 'cleared' | 'kept';
}

/** In which order lists come. */
export type ListOrder = 'newest' | 'oldest' | 'shuffled';

/** The options with nothing left open but the key and the seed. */
export type Settings = Required<Omit<EmulatorOptions, 'apiKey' | 'seed' | 'kinds'>> & {
  readonly apiKey: string | undefined;
  readonly kinds: KindSet;
};
