import { startPostgres, withoutPostgres, type PostgresServer } from '../../support/postgres-server.ts';
import { startS3 } from '../../support/s3-server.ts';
import { s3Bucket, s3Keys, s3Programs } from '../../support/s3-services.ts';

/** A service that keeps the state of stacks, as `sluice.yaml` names it. */
export interface StateService {
  /** Below `state`. */
  readonly setting: string;
  readonly env: Readonly<Record<string, string>>;
  /** As another address, such as that of a proxy in front of it. */
  readonly through: (port: number) => Pick<StateService, 'setting' | 'env'>;
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** A database as a stack names it that reaches it at some port. */
export function databaseAt(
  { url, port: own }: Pick<PostgresServer, 'url' | 'port'>,
  port = own,
): Pick<StateService, 'setting' | 'env'> {
  return {
    setting: 'postgres: {url: {from_env: SLUICE_STATE_URL}}',
    env: { SLUICE_STATE_URL: url.replace(`:${own}/`, `:${port}/`) },
  };
}

/** The services of which tests need one, each with why it is left out, if it is. */
export const stateServices: readonly {
  readonly name: string;
  readonly skipped: string;
  readonly start: () => Promise<StateService>;
}[] = [
  {
    name: 'a database',
    skipped: withoutPostgres,
    start: async () => {
      const server = await startPostgres();
      const at = (port: number): Pick<StateService, 'setting' | 'env'> => databaseAt(server, port);
      return { ...at(server.port), through: at, port: server.port, stop: server.stop };
    },
  },
  {
    name: 'a bucket',
    skipped: '',
    start: async () => {
      // A real service where one is installed.
      const real = s3Programs.find(({ isInstalled, checksSignatures }) => isInstalled && checksSignatures);
      const server = await (real === undefined ? startS3() : real.start());
      const at = (port: number): Pick<StateService, 'setting' | 'env'> => ({
        setting: `s3: {bucket: ${s3Bucket}, region: us-east-1, endpoint: "http://127.0.0.1:${port}"}`,
        env: { AWS_ACCESS_KEY_ID: s3Keys.accessKeyId, AWS_SECRET_ACCESS_KEY: s3Keys.secretAccessKey },
      });
      const port = Number(new URL(server.endpoint).port);
      return { ...at(port), through: at, port, stop: server.stop };
    },
  },
];
