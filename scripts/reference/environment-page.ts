import { shownStrings } from '../shown-strings.ts';
import { code, page, table } from './markdown.ts';

const variables: Readonly<Record<string, string>> = {
  SLUICE_API_KEY: 'The API key. Overrides `api.key` in sluice.yaml.',
  SLUICE_API_KEY_FILE: 'Path of a file with the API key, read again before each run of `watch`.',
  SLUICE_BASE_URL: 'URL of the service. Overrides `api.base_url`; in a pipeline, sluice trusts no other.',
  SLUICE_CA_FILE: 'PEM file of further certificate authorities to trust. Overrides `api.ca_file`.',
  SLUICE_LOG: 'Verbosity of the log, as `--log-level`.',
  SLUICE_OPERATOR_POLICY:
    'File of access rules and limits outside the stack, which nothing in it can loosen. `--operator-policy` overrides it.',
  SLUICE_PROXY: 'HTTP proxy, which may have a user name and password. Overrides `api.proxy`.',
  SLUICE_WATCH_SOCKET:
    'Path of the socket over which `approve`, `pause`, `resume`, `reconcile` and `status` reach a running `watch`; by default `watch.sock` beside a state that is in files.',
  SLUICE_SECRETS_DIRS:
    'Directories outside the stack that `secrets.dirs` and `secrets.env_files` may name, and outside its git repository `manifests`; separated as in PATH.',
  SLUICE_STATE_URL: 'Usual name of the variable that `state.postgres.url` reads.',
  SLUICE_VAR_: 'Values of variables whose names begin so are printed; those of all others are masked.',
  SLUICE_VAR_NAME: 'Value of the variable `name` under `vars` in sluice.yaml. `--var` overrides it.',
  SLUICE_VENDOR: 'Vendor name. Overrides `api.vendor`.',
  SLUICE_WEBHOOK_SECRET: 'Usual name of the variable that `watch.notify[].secret` reads.',
  SLUICE_WEBHOOK_URL: 'Usual name of the variable that `watch.notify[].url` reads.',
  'AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN':
    'Credentials of the bucket in `state.s3`; each can also be in a file, whose path is in the variable with `_FILE` at its end.',
  'AWS_REGION, AWS_DEFAULT_REGION, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL':
    'Region and URL of the bucket, if `state.s3` has none; the first that is set.',
  'GITHUB_TOKEN, GH_TOKEN, GITLAB_TOKEN, GITEA_TOKEN, FORGEJO_TOKEN':
    'Token of `comment`, `publish-digest` and `apply --reviewed`: [permissions](../commands.md#comment).',
  CI: 'Unless empty or `false`: sluice never asks for approval, and settings that name other machines need confirmation.',
  NO_COLOR: 'If set, no output has color.',
  NODE_EXTRA_CA_CERTS: 'PEM file of further certificate authorities to trust, as for every program on Node.js.',
  'HTTPS_PROXY, HTTP_PROXY, NO_PROXY': 'Proxies, if neither `--proxy` nor SLUICE_PROXY is set.',
};

/** Every environment variable that sluice reads. Throws if a text names one that is missing here. */
export function environmentPage(): string {
  const named = new Set(shownStrings('src').match(/\bSLUICE_[A-Z_]*[A-Z]/g) ?? []);
  const missing = [...named].filter((name) => variables[name] === undefined && variables[`${name}_`] === undefined);
  if (missing.length > 0) throw new Error(`scripts/reference/environment-page.ts lacks ${missing.join(', ')}`);
  return page(
    'Environment variables',
    'A flag overrides a variable, a variable overrides sluice.yaml. The API key is never an argument. [Security](../security.md) says which variables a pipeline should set.',
    table(
      ['Variable', 'Meaning'],
      Object.entries(variables).map(([name, text]) => [name.split(', ').map(code).join(', '), text]),
    ),
  );
}
