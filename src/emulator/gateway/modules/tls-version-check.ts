import { textOf } from '../../../kinds/value.ts';
import { passes, refuses, type ModuleCheck } from '../module-verdict.ts';

/** `tls_termination`: the TLS version is not below `min_version`. A version that is no number is not compared. */
export const tlsVersionCheck: ModuleCheck = ({ min_version }, { request: { tlsVersion } }) => {
  const least = /\d+(\.\d+)?$/.exec(textOf(min_version))?.[0];
  if (least === undefined) return passes('the edge sets no minimum TLS version');
  return Number(tlsVersion) >= Number(least)
    ? passes(`TLS ${tlsVersion} is allowed; the minimum is ${least}`)
    : refuses(`TLS ${tlsVersion} is below the minimum, TLS ${least}`);
};
