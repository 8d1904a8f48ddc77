// The configuration that tests start a process with: everything embedded, on ports that the system picks, and quiet.

import type { Config } from '../../config.ts'
import { NOBODY } from '../../http/pipeline/network.ts'
import { EMBEDDED } from './places.ts'

/** To be given a folder: `dataDir`. */
export const TEST_CONFIG: Config = {
  production: false,
  roles: new Set(['api', 'projector']),
  port: 0,
  host: '127.0.0.1',
  adminPort: 0,
  dataDir: '',
  ...EMBEDDED,
  smtpUrl: null,
  publicUrl: 'http://127.0.0.1',
  masterKey: null,
  oldMasterKeys: [],
  logLevel: 'silent',
  rateLimits: 'off',
  filesDir: null,
  s3Url: null,
  trustedProxies: NOBODY,
  realtimeUrl: null,
  realtimeSecret: null,
  apiUrl: null,
}
