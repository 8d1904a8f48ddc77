// What a node is configured with in tests that are about something else: all in its data folder, on any free ports of
// the loopback, with no limits on rates, and silent. Each test lays over it what it is about.

import { NOBODY } from '../runtime/network.ts'
import { DEFAULT_ADDRESS_LIMITS } from '../runtime/rate-limits.ts'
import type { Config } from '../server/config.ts'
import { EMBEDDED } from './servers/store-urls.ts'

/** To be given a folder: `dataDir`. */
export const BASE_CONFIG: Config = {
  production: false,
  roles: new Set(['api', 'projector']),
  port: 0,
  host: '127.0.0.1',
  adminPort: 0,
  adminPortMayMove: false,
  dataDir: '',
  ...EMBEDDED,
  smtpUrl: null,
  publicUrl: 'http://127.0.0.1',
  masterKey: null,
  oldMasterKeys: [],
  logLevel: 'silent',
  memory: null,
  rateLimits: 'off',
  addressLimits: DEFAULT_ADDRESS_LIMITS,
  filesDir: null,
  s3Url: null,
  trustedProxies: NOBODY,
  realtimeUrl: null,
  realtimeSecret: null,
  apiUrl: null,
  console: true,
  acceptsClock: false,
}
