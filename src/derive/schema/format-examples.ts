import type { FieldFormat } from '../../kinds/kind.ts';

const certificate =
  '-----BEGIN CERTIFICATE-----\n' +
  'MIIB1jCCAXugAwIBAgIUdlOhngniq6CEEwDLl9Pv6HOKnpAwCgYIKoZIzj0EAwIw\n' +
  'PTEhMB8GA1UEAwwYRXhhbXBsZSBQYXJ0bmVycyBSb290IENBMRgwFgYDVQQKDA9F\n' +
  'eGFtcGxlIENvbXBhbnkwIBcNMjQwMTAxMDAwMDAwWhgPMjA1NDAxMDEwMDAwMDBa\n' +
  'MD0xITAfBgNVBAMMGEV4YW1wbGUgUGFydG5lcnMgUm9vdCBDQTEYMBYGA1UECgwP\n' +
  'RXhhbXBsZSBDb21wYW55MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEXPl3EY3g\n' +
  'O43ygG4gKpXa4u2od7m/0NkH3CLwmHM30KX4omZtH8OStF2ke7hPuj+PDRMoUQR+\n' +
  'QRko79EqhWac6KNXMFUwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAQYw\n' +
  'EwYDVR0lBAwwCgYIKwYBBQUHAwIwHQYDVR0OBBYEFJuKkkZs+MX69vsDlymwi7MP\n' +
  'KzUCMAoGCCqGSM49BAMCA0kAMEYCIQDbcrnl29Z7mowaE4046KBczadPhLpG5KGy\n' +
  'RTkjehE0agIhAImtw4utstvNI0bG1qF/eMT2CQ8X25Cbr7+vfoBFN0Nn\n' +
  '-----END CERTIFICATE-----\n';

/** A text of each form that takes one to know: what documents show, and what tools that make up requests begin with. */
export const formatExamples: Readonly<Partial<Record<FieldFormat, string>>> = {
  pem: certificate,
  saml: '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://login.example.com"/>',
  'ssh-public-key': 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPbJbP9OJxMNn1IAmrH5ZN5Wk/nRM+KGoC8z++DqmZht',
  policy: 'inbound: []',
  hostport: 'shop.example.com:443',
  hostname: 'connect.example.com',
  match: '/cart',
  url: 'https://login.example.com',
  regex: '^curl/',
  'header-name': 'x-served-by',
  'header-value': 'shop',
  email: 'ana@example.com',
  team: 'acme/web',
};
